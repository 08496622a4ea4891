// A back end for a page that chats: it adds the API key, which a browser must not see, and passes the events on.
// Its key is made with --for chat --forwards-clients, so that each visitor has limits of their own.
// TOOLKIT_KEY=tk_… node chat-backend.mjs, with TOOLKIT_URL and PORT where they differ from those below.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';

const { TOOLKIT_URL = 'http://127.0.0.1:8080', TOOLKIT_KEY, PORT = '3000' } = process.env;
const file = (name) => readFileSync(new URL(name, import.meta.url));
const files = { '/': [file('chat-page.html'), 'text/html'], '/chat-page.mjs': [file('chat-page.mjs'), 'text/javascript'] };

// Whether a request comes from a page of this server: a page of any other could spend the key. A page cannot send JSON to
// another server without being asked for its permission.
const isOwn = ({ origin, host, 'content-type': type }) =>
  URL.canParse(origin) && new URL(origin).host === host && /^application\/json *(;|$)/i.test(type);

createServer(async (request, response) => {
  // A page that was closed ends the reply.
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  try {
    if (request.method === 'POST' && request.url === '/chat') {
      if (!isOwn(request.headers)) {
        response.writeHead(403, { 'Content-Type': 'application/json' });
        return response.end('{"detail":"Chats come from the page of this server, as JSON."}');
      }
      const visitor = request.socket.remoteAddress;
      const headers = { 'Content-Type': 'application/json', 'X-Api-Key': TOOLKIT_KEY, 'X-Forwarded-For': visitor };
      const options = { method: 'POST', headers, body: request, duplex: 'half', signal: gone.signal };
      const answer = await fetch(`${TOOLKIT_URL}/toolkit/api/chat`, options);
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') });
      return await pipeline(answer.body, response);
    }
    const [body, type] = files[request.url] ?? ['Not found', 'text/plain'];
    response.writeHead(files[request.url] ? 200 : 404, { 'Content-Type': type }).end(body);
  } catch {
    if (!response.headersSent) response.writeHead(502, { 'Content-Type': 'application/json' });
    response.end('{"detail":"The chat server cannot be reached."}');
  }
}).listen(Number(PORT), '127.0.0.1');
