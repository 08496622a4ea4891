// The events of a streamed chat, one after the other: `for await (const event of chat(messages))`.
export async function* chat(messages, { url = '/chat', signal } = {}) {
  const body = JSON.stringify({ messages, stream: true, tools: 'auto' });
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal });
  if (!response.ok) throw new Error((await response.json()).detail);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, ended] = ['', false];
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + read.value).split('\n');
      rest = lines.pop();
      // Each event has one line of data, and its type is also in it.
      for (const line of lines.filter((line) => line.startsWith('data: '))) {
        const event = JSON.parse(line.slice(6));
        ended ||= event.type === 'done';
        if (event.type === 'error') throw new Error(event.detail);
        yield event;
      }
    }
  } finally {
    // A caller that leaves the loop ends the reply, and so the model's work.
    await reader.cancel();
  }
  if (!ended) throw new Error('The reply was cut off.');
}
