import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { ServiceMetrics } from '../metrics/index.js';
import { listenOnAny } from '../ports/index.js';
import type { HubApp } from './create-app.js';
import { startOpsServer } from './ops-server.js';
import { askProbes, type Probes, registerReadiness } from './readiness.js';
import type { RunningService } from './run-service.js';

/** What a service is made of once its configuration is read and its connections are opened. */
export interface ServiceParts {
  readonly name: string;
  readonly app: HubApp;
  readonly config: {
    readonly host: string;
    readonly port: number;
    readonly socketPath?: string;
    readonly opsHost: string;
    readonly opsPort: number;
    readonly reservedPort?: number;
    readonly internalSecret?: string;
  };
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
  /** What the service needs: the database makes it unready, the broker is only reported. */
  readonly probes?: Probes;
  /** Lets go of what was opened, in this order, after the last request is answered. */
  readonly release: readonly (() => Promise<unknown>)[];
}

async function releaseAll({ release, log }: ServiceParts): Promise<void> {
  for (const letGo of release) {
    await letGo().catch((error: unknown) => log.warn({ err: error }, 'not closed cleanly'));
  }
}

// On a Unix socket a connection beyond the backlog is refused at once: there is no repeating as with TCP.
const backlog = 4_096;

/** Listens on the service's own address and returns it. */
async function listen(app: HubApp, { host, port, socketPath, reservedPort }: ServiceParts['config']) {
  if (socketPath !== undefined) {
    // One left by a process that was killed.
    await rm(socketPath, { force: true });
    await app.listen({ path: socketPath, backlog });
    return { url: `unix:${socketPath}` };
  }
  const listenOn = (wanted: number) => app.listen({ host, port: wanted, backlog });
  const mayMove = reservedPort !== undefined && port !== reservedPort;
  const url = mayMove ? await listenOnAny(listenOn, port, [reservedPort]) : await listenOn(port);
  return { url, port: (app.server.address() as AddressInfo).port };
}

function warnOfMove(log: Logger, variable: string, wanted: number, port: number | undefined): void {
  if (wanted === 0 || port === undefined || port === wanted) return;
  log.warn({ [variable]: wanted, port }, 'the port is taken, listening on another one');
}

/** Listens on both ports; what was opened is let go when that fails. */
export async function startService(parts: ServiceParts): Promise<RunningService> {
  const { name, app, config, log, metrics, probes } = parts;
  const { opsHost, opsPort, reservedPort, internalSecret } = config;
  let closing: Promise<void> | undefined;
  const readiness = async () => {
    if (closing) return ['closing'];
    return probes && (await askProbes(probes)).database === 'error' ? ['database'] : [];
  };
  try {
    if (probes) registerReadiness(app, probes, internalSecret);
    const ops = await startOpsServer({
      host: opsHost,
      port: opsPort,
      reservedPort,
      registry: metrics.registry,
      readiness,
    });
    app.addHook('onClose', () => ops.close());
    const { url, port } = await listen(app, config);
    warnOfMove(log, 'OPS_PORT', opsPort, ops.port);
    warnOfMove(log, 'PORT', config.port, port);
    log.info({ url, ops_url: ops.url }, 'listening');
    const close = async () => {
      await app.close();
      await releaseAll(parts);
      log.info('closed');
    };
    const closeOnce = () => {
      closing ??= close();
      return closing;
    };
    const addresses = [{ name, opsPort: ops.port, ...(port !== undefined && { port }) }];
    return { name, url, opsUrl: ops.url, addresses, close: closeOnce };
  } catch (error) {
    await app.close();
    await releaseAll(parts);
    throw error;
  }
}
