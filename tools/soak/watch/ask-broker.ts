import { connect } from 'node:net';

/** The positions of the consumers of the stream. */
export interface BrokerFigures {
  readonly lastSequence: number;
  readonly streamBytes: number;
  /** Number of unacknowledged events by durable consumer. */
  readonly waiting: Readonly<Record<string, number>>;
}

interface Consumer {
  readonly config: { readonly durable_name?: string };
  readonly num_pending: number;
  readonly num_ack_pending: number;
}

const timeoutMs = 5_000;

/** Sends one request to a NATS server without a client, as its protocol is text-based. */
function request<T>(natsUrl: string, subject: string): Promise<T> {
  const { hostname, port, username, password } = new URL(natsUrl);
  const hello = JSON.stringify({ verbose: false, user: username, pass: password });
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    const end = (settle: () => void) => {
      socket.destroy();
      settle();
    };
    const fail = (why: string) => end(() => reject(new Error(`the broker, asked for ${subject}: ${why}`)));
    socket.setTimeout(timeoutMs, () => fail('no response'));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('closed the connection'));
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
      if (/^-ERR.*$/m.test(text)) fail(text);
      const head = /^MSG answer 1 (\d+)\r\n/m.exec(text);
      if (!head) return;
      const body = text.slice(head.index + head[0].length);
      if (body.length >= Number(head[1])) end(() => resolve(JSON.parse(body.slice(0, Number(head[1])))));
    });
    socket.write(`CONNECT ${hello}\r\nSUB answer 1\r\nPUB ${subject} answer 0\r\n\r\n`);
  });
}

/** Reads the state of the stream and its consumers from the broker of the hub. */
export async function askBroker(natsUrl: string): Promise<BrokerFigures> {
  const { state } = await request<{ state: { last_seq: number; bytes: number } }>(
    natsUrl,
    '$JS.API.STREAM.INFO.HUB',
  );
  const { consumers } = await request<{ consumers: readonly Consumer[] }>(
    natsUrl,
    '$JS.API.CONSUMER.LIST.HUB',
  );
  const waiting = consumers.flatMap(({ config, num_pending, num_ack_pending }) =>
    config.durable_name ? [[config.durable_name, num_pending + num_ack_pending] as const] : [],
  );
  return { lastSequence: state.last_seq, streamBytes: state.bytes, waiting: Object.fromEntries(waiting) };
}
