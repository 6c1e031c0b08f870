import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for a service, and what it was asked. */
export interface TestService {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

/** Starts a service that answers what the test says. */
export async function startTestService(listener: RequestListener, port = 0): Promise<TestService> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${own}`, port: own, server, requests, close };
}
