import type { Logger } from 'pino';
import type { ServiceMetrics } from '../metrics/index.js';
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
    readonly opsHost: string;
    readonly opsPort: number;
    readonly internalSecret?: string;
  };
  readonly log: Logger;
  readonly metrics: ServiceMetrics;
  /** What the service needs: the database makes it unready, the broker is only reported. */
  readonly probes?: Probes;
  /** Lets go of what was opened, in this order, after the last request is answered. */
  readonly release: readonly (() => Promise<unknown>)[];
}

const idleSweepMs = 100;

/** Answers what is in flight; connections that fall idle meanwhile are closed at once. */
async function closeApp(app: HubApp): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), idleSweepMs);
  await app.close().finally(() => clearInterval(sweep));
}

async function releaseAll({ release, log }: ServiceParts): Promise<void> {
  for (const letGo of release) {
    await letGo().catch((error: unknown) => log.warn({ err: error }, 'not closed cleanly'));
  }
}

/** Listens on both ports; what was opened is let go when that fails. */
export async function startService(parts: ServiceParts): Promise<RunningService> {
  const { name, app, config, log, metrics, probes } = parts;
  const { host, port, opsHost, opsPort, internalSecret } = config;
  let closing: Promise<void> | undefined;
  const readiness = async () => {
    if (closing) return ['closing'];
    return probes && (await askProbes(probes)).database === 'error' ? ['database'] : [];
  };
  try {
    if (probes) registerReadiness(app, probes, internalSecret);
    const ops = await startOpsServer({ host: opsHost, port: opsPort, registry: metrics.registry, readiness });
    app.addHook('onClose', () => ops.close());
    const url = await app.listen({ host, port });
    log.info({ url, ops_url: ops.url }, 'listening');
    const close = async () => {
      await closeApp(app);
      await releaseAll(parts);
      log.info('closed');
    };
    const closeOnce = () => {
      closing ??= close();
      return closing;
    };
    return { name, url, opsUrl: ops.url, close: closeOnce };
  } catch (error) {
    await closeApp(app);
    await releaseAll(parts);
    throw error;
  }
}
