//! Outputs of examples, by title.
import { textOutput } from '../../../kit/tool.js';

/** @type {Record<string, Record<string, unknown>>} */
export default {
  'A JSON request with a login': {
    code: textOutput(
      `const response = await fetch("https://api.example.com/items", {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    "Accept": "application/json",
    Authorization: "Basic " + btoa("anna:s3cret"),
  },
  body: "{\\"name\\": \\"Grüße\\"}",
  redirect: 'manual',
});
console.log(response.status, await response.text());
`,
      { file: 'request.mjs' },
    ),
  },
  'A form for Python': {
    code: textOutput(
      `import requests

response = requests.request(
    "POST",
    "http://example.com/upload",
    files=[
        ("name", (None, "Anna")),
        ("photo", ("me.png", open("me.png", "rb"), "image/png")),
    ],
    allow_redirects=True,
)
print(response.status_code, response.text)
`,
      { file: 'request.py' },
    ),
  },
};
