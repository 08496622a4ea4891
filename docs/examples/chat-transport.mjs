// A transport of the AI SDK for this service's chat: `useChat({ transport: new ToolkitTransport('/chat') })`.
// The address is that of your own back end (chat-backend.mjs), which adds the API key.
import { EventSourceParserStream } from 'eventsource-parser/stream';

export class ToolkitTransport {
  constructor(url) {
    this.url = url;
  }

  async sendMessages({ messages, abortSignal: signal }) {
    const text = ({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const said = messages.map((message) => ({ role: message.role, content: text(message) })).filter(({ content }) => content.trim());
    const body = JSON.stringify({ messages: said, stream: true, tools: 'auto' });
    const response = await fetch(this.url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal });
    if (!response.ok) throw new Error((await response.json()).detail);
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    return events.pipeThrough(chunks());
  }

  // The service keeps nothing, so there is nothing to come back to.
  async reconnectToStream() {
    return null;
  }
}

function chunks() {
  const calls = { dynamic: true };
  let [parts, open, ended] = [0, false, false];
  return new TransformStream({
    transform({ data }, out) {
      const event = JSON.parse(data);
      if (event.type === 'delta' && !open) out.enqueue({ type: 'text-start', id: `${++parts}` });
      if (event.type !== 'delta' && open) out.enqueue({ type: 'text-end', id: `${parts}` });
      open = event.type === 'delta';
      ended ||= event.type === 'done' || event.type === 'error';
      const { id: toolCallId, name: toolName } = event;
      if (open) out.enqueue({ type: 'text-delta', id: `${parts}`, delta: event.text });
      if (event.type === 'tool_start') out.enqueue({ type: 'tool-input-start', toolCallId, toolName, ...calls });
      if (event.type === 'tool') {
        out.enqueue({ type: 'tool-input-available', toolCallId, toolName, input: event.arguments, ...calls });
        if (event.ok) out.enqueue({ type: 'tool-output-available', toolCallId, output: event.result, ...calls });
        else out.enqueue({ type: 'tool-output-error', toolCallId, errorText: event.detail, ...calls });
      }
      if (event.type === 'error') out.enqueue({ type: 'error', errorText: event.detail });
      if (event.type === 'done') out.enqueue({ type: 'finish' });
    },
    flush(out) {
      if (!ended) out.enqueue({ type: 'error', errorText: 'The reply was cut off.' });
    },
  });
}
