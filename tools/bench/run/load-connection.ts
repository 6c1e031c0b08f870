import { connect, type Socket } from 'node:net';
import { ResponseReader } from './response-reader.js';

/** The result of a request. */
export interface Exchange {
  readonly status: number;
  readonly bytes: number;
  /** Time from the first sent byte to the last received one. */
  readonly milliseconds: number;
}

/** A keep-alive connection with at most one request in flight. */
export interface LoadConnection {
  exchange(request: Buffer): Promise<Exchange>;
  close(): void;
}

/** Connects to the host of an origin, or to the Unix socket of `unix:/path`. */
export async function openConnection(origin: string): Promise<LoadConnection> {
  const socket = await open(origin);
  const reader = new ResponseReader();
  let waiting: { resolve: (exchange: Exchange) => void; reject: (error: Error) => void } | undefined;
  let sentAt = 0;

  const fail = (error: Error) => {
    waiting?.reject(error);
    waiting = undefined;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (arrived) => {
    const end = reader.push(arrived);
    if (!end) return;
    const current = waiting;
    waiting = undefined;
    current?.resolve({ ...end, milliseconds: performance.now() - sentAt });
  });

  const exchange = (request: Buffer) =>
    new Promise<Exchange>((resolve, reject) => {
      waiting = { resolve, reject };
      sentAt = performance.now();
      socket.write(request);
    });
  return { exchange, close: () => socket.destroy() };
}

function open(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const place = origin.startsWith('unix:')
    ? { path: origin.slice('unix:'.length) }
    : { host: hostname, port: Number(port) };
  return new Promise((resolve, reject) => {
    const socket = connect({ ...place, noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
