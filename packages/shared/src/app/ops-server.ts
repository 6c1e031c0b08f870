import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Registry } from 'prom-client';
import { listenOnAny } from '../ports/index.js';
import { ClientConnections } from './client-connections.js';
import { connectionLimits } from './connection-limits.js';

/** Says whether a service can do its work; the names of what is missing otherwise. */
export type Readiness = () => Promise<readonly string[]>;

/** Probes and a Prometheus take a handful. */
const maxConnections = 256;
const clientStallTimeoutMs = 30_000;

/** A second port for those who run the hub: `/livez`, `/readyz`, `/metrics`. */
export async function startOpsServer(options: {
  host: string;
  port: number;
  /** When given, a port that is refused is replaced by another one than this. */
  reservedPort?: number | undefined;
  registry: Registry;
  readiness: Readiness;
}): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const clients = new ClientConnections({
    readStallTimeoutMs: clientStallTimeoutMs,
    bodyWindowMs: clientStallTimeoutMs,
  });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    if (request.url === '/livez') return answer(200, 'application/json', '{"status":"ok"}');
    if (request.url === '/readyz') {
      const missing = await options.readiness();
      return answer(missing.length ? 503 : 200, 'application/json', JSON.stringify({ missing }));
    }
    if (request.url === '/metrics') {
      return answer(200, options.registry.contentType, await options.registry.metrics());
    }
    return answer(404, 'application/json', '{"error":"not found"}');
  };
  const { http, ...timeouts } = connectionLimits();
  const server = createServer({ ...http, ...timeouts }, (request, response) =>
    clients.inTurn(request, response, () => void handle(request, response)),
  );
  server.maxConnections = maxConnections;
  server.on('clientError', (error, socket) => clients.onClientError(error, socket as Socket));
  const listen = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, options.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  const { reservedPort } = options;
  if (reservedPort === undefined) await listen(options.port);
  else await listenOnAny(listen, options.port, [reservedPort]);
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${options.host}:${port}`, port, close };
}
