import { get, type IncomingMessage } from 'node:http';
import { vi } from 'vitest';

/** An event as dispatched by a browser. */
export interface ReceivedEvent {
  readonly id: number;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any event and fail when it has another shape
  readonly data: any;
}

/** A client of `GET /events`. */
export interface Listener {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly events: ReceivedEvent[];
  /** Returns the raw text received so far. */
  text(): string;
  /** Returns the last event id, with which a browser would reconnect. */
  lastEventId(): string;
  hasEnded(): boolean;
  /** Stops reading from the socket. */
  pauseReading(): void;
  resumeReading(): void;
  disconnect(): void;
  /** Waits until at least `count` events were received. */
  waitForEvents(count: number): Promise<ReceivedEvent[]>;
}

function parseBlock(block: string): Map<string, string> {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
  });
  return new Map(fields);
}

/** Opens the stream and reads it. */
export async function listen(url: string, headers: Record<string, string> = {}): Promise<Listener> {
  const request = get(url, { headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  const events: ReceivedEvent[] = [];
  const chunks: string[] = [];
  /** The incomplete last event; complete ones are not parsed again. */
  let rest = '';
  let lastEventId = '';
  let hasEnded = false;
  request.on('error', () => undefined);
  response
    .on('error', () => undefined)
    .on('close', () => {
      hasEnded = true;
    });
  response.setEncoding('utf8').on('data', (chunk: string) => {
    chunks.push(chunk);
    rest += chunk;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const fields = parseBlock(rest.slice(0, end));
      rest = rest.slice(end + 2);
      lastEventId = fields.get('id') ?? lastEventId;
      const data = fields.get('data');
      if (data === undefined) continue;
      events.push({ id: Number(lastEventId), name: fields.get('event') ?? '', data: JSON.parse(data) });
    }
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => chunks.join(''),
    lastEventId: () => lastEventId,
    hasEnded: () => hasEnded,
    pauseReading: () => void response.pause(),
    resumeReading: () => void response.resume(),
    disconnect: () => void request.destroy(),
    async waitForEvents(count) {
      await vi.waitUntil(() => events.length >= count, { interval: 10 });
      return events;
    },
  };
}
