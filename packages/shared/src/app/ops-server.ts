import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Registry } from 'prom-client';
import { listenOnAny } from '../ports/index.js';
import { requireInternal } from './access.js';
import { ClientConnections, connectionLimits } from './client-connections.js';
import type { HubApp } from './create-app.js';

/** Returns the names of unavailable dependencies; empty when the service is ready. */
export type Readiness = () => Promise<readonly string[]>;

/** Probes and Prometheus need only a few connections. */
const maxConnections = 256;
const clientStallTimeoutMs = 30_000;

/** Starts a second server for operators: `/livez`, `/readyz`, `/metrics`. */
export async function startOpsServer(options: {
  host: string;
  port: number;
  /** When set, a port in use is replaced by a free one other than this. */
  reservedPort?: number | undefined;
  registry: Registry;
  readiness: Readiness;
}): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const clients = new ClientConnections({
    readStallTimeoutMs: clientStallTimeoutMs,
    bodyWindowMs: clientStallTimeoutMs,
  });
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const respond = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    if (request.url === '/livez') return respond(200, 'application/json', '{"status":"ok"}');
    if (request.url === '/readyz') {
      const missing = await options.readiness();
      return respond(missing.length ? 503 : 200, 'application/json', JSON.stringify({ missing }));
    }
    if (request.url === '/metrics') {
      return respond(200, options.registry.contentType, await options.registry.metrics());
    }
    return respond(404, 'application/json', '{"error":"not found"}');
  };
  const fail = (response: ServerResponse) => (error: Error) => {
    response.writeHead(500, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify({ error: error.message }));
  };
  const { http, ...timeouts } = connectionLimits();
  const server = createServer({ ...http, ...timeouts }, (request, response) =>
    clients.enqueue(request, response, () => void handle(request, response).catch(fail(response))),
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

/** The state of a dependency of a service; `not_used` when the service does not have it. */
export type Condition = 'ok' | 'error' | 'not_used';

/** The states of the dependencies of one service; the response of `/internal/readiness`. */
export interface Conditions {
  readonly database: Condition;
  readonly broker: Condition;
}

/** Checks of the dependencies of one service. */
export interface Probes {
  /** Rejects when the database does not respond. */
  readonly database?: () => Promise<unknown>;
  /** Whether the broker is connected now. */
  readonly broker?: () => boolean;
}

/** The path of the gateway's readiness request to a service. */
export const readinessPath = '/internal/readiness';

const probeTimeoutMs = 1_500;

/** Runs all probes concurrently; one that fails or takes longer than 1.5 s counts as an error. */
export async function runProbes(probes: Probes): Promise<Conditions> {
  const toCondition = (isOk: boolean): Condition => (isOk ? 'ok' : 'error');
  return {
    database: probes.database ? toCondition(await succeedsInTime(probes.database())) : 'not_used',
    broker: probes.broker ? toCondition(probes.broker()) : 'not_used',
  };
}

/** Adds the readiness route for the gateway, which is not part of the contract. */
export function registerReadiness(app: HubApp, probes: Probes, internalSecret: string | undefined): void {
  const onRequest = internalSecret === undefined ? [] : [requireInternal(internalSecret)];
  app.get(readinessPath, { onRequest, schema: { hide: true } }, () => runProbes(probes));
}

async function succeedsInTime(probe: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), probeTimeoutMs);
  });
  const succeeded = probe.then(
    () => true,
    () => false,
  );
  return Promise.race([succeeded, late]).finally(() => clearTimeout(timer));
}
