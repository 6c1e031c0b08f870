import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A request as the stub received it. */
export interface StubRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** The response of the stub; `reset` drops the connection instead. */
export type StubResponse = { status: number; body: unknown; headers?: Record<string, string> } | 'reset';

/** A running stub hub. */
export interface StubHub {
  baseUrl: string;
  requests: StubRequest[];
  close(): Promise<void>;
}

/** Starts a stub of a hub on a free port, for tests of clients; it records the requests. */
export async function startStubHub(
  answer: (request: StubRequest, requests: readonly StubRequest[]) => StubResponse,
): Promise<StubHub> {
  const requests: StubRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const given = answer(request, requests);
    if (given === 'reset') {
      incoming.socket.destroy();
      return;
    }
    response.writeHead(given.status, { 'content-type': 'application/json', ...given.headers });
    response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<StubRequest> {
  const { method = '', url = '', headers } = incoming;
  return { method, path: url, headers, body: await json(incoming) };
}
