// CyberChef's "To Base64" behind node:http, or in a loop of so many seconds without a server.
// usage: node cyberchef.mjs PORT | node cyberchef.mjs loop SECONDS
import { createServer } from "node:http";
import chef from "cyberchef";

const encode = (text) => chef.toBase64(text).toString();

// Prints what was done and the CPU time that it took, as JSON.
function loop(seconds) {
  const text = "Hello, World! 32 bytes of text.";
  const end = performance.now() + seconds * 1000;
  const before = process.cpuUsage();
  let calls = 0;
  while (performance.now() < end) {
    if (encode(text).length !== 44) throw new Error("a wrong answer");
    calls += 1;
  }
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ calls, cpu_seconds: (user + system) / 1e6 }));
}

function serve(port) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { text } = JSON.parse(Buffer.concat(chunks));
      const body = JSON.stringify({ ok: true, result: encode(text) });
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
      response.end(body);
    });
  });
  server.listen(port, "127.0.0.1");
}

const [how, seconds] = process.argv.slice(2);
if (how === "loop") loop(Number(seconds));
else serve(Number(how));
