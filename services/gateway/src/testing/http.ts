import {
  type Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response with its body as text. */
export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

/** Sends a request with exactly these headers, which `fetch` would not, and reads the complete response. */
export function sendRequest(
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string; agent?: Agent } = {},
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, agent = false } = options;
    const sent = request(url, { method, headers, agent }, async (response) => {
      try {
        const chunks: Buffer[] = await response.toArray();
        const text = Buffer.concat(chunks).toString();
        const json = () => JSON.parse(text) as Record<string, unknown>;
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: isJson ? json() : {},
        });
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A stub of a service, and the requests that it received. */
export interface TestService {
  readonly url: string;
  readonly server: Server;
  readonly requests: IncomingMessage[];
  close(): Promise<void>;
}

/** Starts a stub with the listener of a test, on a loopback port or a Unix socket. */
export async function startTestService(listener: RequestListener, socketPath?: string): Promise<TestService> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  const address = socketPath === undefined ? { port: 0, host: '127.0.0.1' } : { path: socketPath };
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const url = socketPath === undefined ? `http://127.0.0.1:${port}` : `unix:${socketPath}`;
  return { url, server, requests, close };
}
