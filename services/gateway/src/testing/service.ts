import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for a service, and what it was asked. */
export interface TestService {
  readonly url: string;
  readonly server: Server;
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

/** Starts a service that answers what the test says, on a port of the loopback or on a Unix socket. */
export async function startTestService(listener: RequestListener, socketPath?: string): Promise<TestService> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  const place = socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath };
  await new Promise<void>((resolve) => server.listen(place, resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const url = socketPath === undefined ? `http://127.0.0.1:${port}` : `unix:${socketPath}`;
  return { url, server, requests, close };
}
