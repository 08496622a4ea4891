// Runs one of the documents' examples against a chat, and prints what came of it as JSON. The examples are copied
// beside this file, where their packages are installed.
//
//     node examples.mjs transport|page URL

const [which, url] = process.argv.slice(2);
const question = 'SHA-256 of abc?';

// As a browser does for a page of that server.
const { fetch: send } = globalThis;
globalThis.fetch = (to, { headers, ...options }) => send(to, { ...options, headers: { ...headers, Origin: new URL(to).origin } });

async function transport() {
  const { readUIMessageStream } = await import('ai');
  const { ToolkitTransport } = await import('./chat-transport.mjs');
  const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: question }] }];
  const errors = [];
  let last;
  try {
    const stream = await new ToolkitTransport(url).sendMessages({ messages });
    const onError = (error) => errors.push(error.message);
    for await (const message of readUIMessageStream({ stream, onError })) last = message;
  } catch (error) {
    errors.push(error.message);
  }
  return { parts: last?.parts ?? [], errors };
}

async function page() {
  const { chat } = await import('./chat-page.mjs');
  const events = [];
  try {
    for await (const event of chat([{ role: 'user', content: question }], { url })) events.push(event);
  } catch (error) {
    events.push({ type: 'thrown', message: error.message });
  }
  return events;
}

console.log(JSON.stringify(await { transport, page }[which]()));
