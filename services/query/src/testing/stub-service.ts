import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stub of an external service. */
export interface StubService {
  readonly url: string;
  /** The requests so far. */
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** Uses this handler from now on. */
  respondWith(listener: RequestListener): void;
  /** Responds with this JSON from now on. */
  respond(body: unknown, status?: number): void;
  close(): Promise<void>;
}

/** Starts a stub on a free port that responds with 500 by default. */
export async function startStubService(): Promise<StubService> {
  const requests: StubService['requests'] = [];
  const fail = (_request: IncomingMessage, response: ServerResponse) => response.writeHead(500).end('{}');
  let listen: RequestListener = fail;
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    listen(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    respondWith(listener) {
      listen = listener;
    },
    respond(body, status = 200) {
      listen = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
