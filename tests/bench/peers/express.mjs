// The base64 endpoint as express users write it. usage: node express.mjs PORT
import express from "express";

const app = express();
app.use(express.json());
app.post("/base64", (request, response) => {
  const { text } = request.body;
  if (typeof text !== "string") {
    response.status(422).json({ detail: "`text` must be a string" });
    return;
  }
  response.json({ ok: true, result: Buffer.from(text).toString("base64") });
});
app.listen(Number(process.argv[2]), "127.0.0.1");
