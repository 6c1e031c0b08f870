import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { ConfigError } from '../config/index.js';
import type { ServiceMetrics } from '../metrics/index.js';
import { listenOnAny } from '../ports/index.js';
import type { HubApp } from './create-app.js';
import { releaseIdleMemory } from './idle-memory.js';
import { type Probes, registerReadiness, runProbes, startOpsServer } from './ops-server.js';

/** Where a service listens. */
export interface ServiceAddress {
  readonly name: string;
  /** Absent when it listens on a Unix socket. */
  readonly port?: number;
  readonly opsPort: number;
}

/** The message that a service process sends to its parent when it listens. */
export interface ListeningMessage {
  readonly listening: readonly ServiceAddress[];
}

/** A running service. */
export interface RunningService {
  readonly name: string;
  readonly url: string;
  readonly opsUrl: string;
  /** Addresses of this service, or of all services of its process. */
  readonly addresses: readonly ServiceAddress[];
  /** Completes requests in flight, stops listening, disconnects from database and broker. */
  close(): Promise<void>;
}

const graceMs = 8_000;
// On a Unix socket, connections beyond the backlog are refused immediately; TCP would retry.
const backlog = 4_096;

/** Runs one service as a process: starts it, and closes it on a signal or when its parent has exited. */
export async function runService(
  start: (env: NodeJS.ProcessEnv) => Promise<RunningService>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  try {
    const service = await start(env);
    // An error is one that nothing caught.
    const { close } = closeWithGrace({ delay: graceMs, logger: false }, ({ err }) => {
      if (err) writeFailure(err);
      return service.close();
    });
    process.once('disconnect', close);
    const message: ListeningMessage = { listening: service.addresses };
    if (process.connected) process.send?.(message);
    releaseIdleMemory();
  } catch (error) {
    writeFailure(error);
    process.exitCode = 1;
    setImmediate(() => process.exit());
  }
}

/** The application of a service and its open connections. */
export interface ServiceDeps {
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
  /** A failing database probe makes the service unready; the state of the broker is only reported. */
  readonly probes?: Probes;
  /** Closes connections, in this order, after the last request. */
  readonly release: readonly (() => Promise<unknown>)[];
}

/** Listens on both ports; closes the connections on failure. */
export async function startService(deps: ServiceDeps): Promise<RunningService> {
  const { name, app, config, log, metrics, probes } = deps;
  const { opsHost, opsPort, reservedPort, internalSecret } = config;
  let closing: Promise<void> | undefined;
  const readiness = async () => {
    if (closing) return ['closing'];
    return probes && (await runProbes(probes)).database === 'error' ? ['database'] : [];
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
    warnIfMoved(log, 'OPS_PORT', opsPort, ops.port);
    warnIfMoved(log, 'PORT', config.port, port);
    log.info({ url, ops_url: ops.url }, 'listening');
    const close = async () => {
      await app.close();
      await releaseAll(deps);
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
    await releaseAll(deps);
    throw error;
  }
}

/** Listens on the service's own address and returns it. */
async function listen(app: HubApp, { host, port, socketPath, reservedPort }: ServiceDeps['config']) {
  if (socketPath !== undefined) {
    // A killed process leaves its socket behind.
    await rm(socketPath, { force: true });
    await app.listen({ path: socketPath, backlog });
    return { url: `unix:${socketPath}` };
  }
  const listenOn = (wanted: number) => app.listen({ host, port: wanted, backlog });
  const mayMove = reservedPort !== undefined && port !== reservedPort;
  const url = mayMove ? await listenOnAny(listenOn, port, [reservedPort]) : await listenOn(port);
  return { url, port: (app.server.address() as AddressInfo).port };
}

function warnIfMoved(log: Logger, variable: string, wanted: number, port: number | undefined): void {
  if (wanted === 0 || port === undefined || port === wanted) return;
  log.warn({ [variable]: wanted, port }, 'port is in use, listening on another one');
}

async function releaseAll({ release, log }: ServiceDeps): Promise<void> {
  for (const closeOne of release) {
    await closeOne().catch((error: unknown) => log.warn({ err: error }, 'not closed cleanly'));
  }
}

function writeFailure(error: unknown): void {
  process.stderr.write(`${describeFailure(error)}\n`);
}

/** Returns the message of a configuration error, the stack of any other error. */
function describeFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { syscall, code, address, port, stack } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (syscall !== 'listen' || port === undefined) return stack ?? String(error);
  return `Port ${port} of ${address} cannot be listened on (${code}), most likely another program has it: set PORT or OPS_PORT to another one.`;
}
