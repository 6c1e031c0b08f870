import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** Says whether a service can do its work; the names of what is missing otherwise. */
export type Readiness = () => Promise<readonly string[]>;

/** A second port for those who run the hub: `/livez`, `/readyz`, `/metrics`. */
export async function startOpsServer(options: {
  host: string;
  port: number;
  registry: Registry;
  readiness: Readiness;
}): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
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
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${options.host}:${port}`, close };
}
