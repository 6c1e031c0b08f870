import { createServer } from 'node:net';
import type { ChildService } from './child-service.js';
import { makeDataFolders, pathsIn, readOrCreateSecret } from './data-folder.js';
import { LockHeldError, takeLock } from './instance-lock.js';
import { LauncherError } from './launcher-error.js';
import { respondsOk, runAll, type Step, startTimeoutMs, waitReady } from './lifecycle.js';
import type { Log } from './log.js';
import { startNats } from './nats-server.js';
import type { Options } from './options.js';
import { startPostgres } from './postgres-server.js';
import { identifyProcess } from './processes.js';
import {
  type FindProgram,
  type HubFacts,
  type Program,
  planPrograms,
  planSingleProcess,
} from './programs.js';
import { longestSocketName, ServiceAddresses, toLocalOrigin, toPublicAddress } from './service-addresses.js';
import { startServices, type WriteLine, waitForServices } from './services.js';
import { openSocketFolder } from './socket-folder.js';
import { readState, StateFile, stopLeftovers } from './state-file.js';

/** Dependencies of {@link startHub}. */
export interface HubDeps {
  readonly options: Options;
  /** The environment for the services. */
  readonly env: NodeJS.ProcessEnv;
  readonly findProgram: FindProgram;
  readonly migrate: (databaseUrl: string, signal?: AbortSignal) => Promise<string[]>;
  readonly log: Log;
  readonly writeLine: WriteLine;
  /** Aborts the start and stops what was started. */
  readonly signal?: AbortSignal;
}

/** A running hub. */
export interface Hub {
  readonly address: string;
  readonly children: readonly ChildService[];
  /** Stops everything in order: gateway, services, broker, database. */
  stop(): Promise<void>;
}

/** Starts the hub and resolves when it is ready. @throws LauncherError with the reason when it cannot start */
export async function startHub(deps: HubDeps): Promise<Hub> {
  const undo: Step[] = [];
  try {
    const { children, address } = await compose(deps, undo);
    return { address, children, stop: () => runAll(undo) };
  } catch (error) {
    await runAll(undo);
    // Loaded only when needed, as the module takes 20 MB of memory.
    const { isDiskFull } = await import('@birdhub/shared/errors');
    throw isDiskFull(error)
      ? new LauncherError(`Birdhub cannot start: the disk of ${deps.options.dataDir} is full.`)
      : error;
  }
}

async function compose(deps: HubDeps, undo: Step[]) {
  const { options, log, signal } = deps;
  const { host, port, basePath } = options;
  await makeDataFolders(options, log);
  undo.unshift(lockData(options.dataDir));
  await stopLeftovers(pathsIn(options.dataDir).state, log);
  const held = await reservePort(host, port, undo);
  const state = createState(options, log);
  undo.unshift(() => state.remove());

  let moveServices = () => {};
  const onMove = () => moveServices();
  const servers = await startServers({ options, state, log, signal, onMove }, undo);
  const applied = await deps.migrate(servers.databaseUrl, signal);
  if (applied.length > 0) log.info({ migrations: applied.length, last: applied.at(-1) }, 'database migrated');

  const addresses = await openAddresses(deps, undo);
  const readFacts = await findFacts(deps, addresses, servers);
  const plan = options.isSingleProcess ? planSingleProcess : planPrograms;
  const groups = plan(deps.env, readFacts, deps.findProgram);
  await held.release();
  const children = await startServices(groups, undo, { ...deps, state, addresses });
  moveServices = () => restartServices(children, log);
  await waitForServices(children, addresses, signal);
  await waitReady({
    what: 'The hub',
    isReady: () => respondsOk(`${toLocalOrigin(host, addresses.gatewayPort)}${basePath}/api/ui/readiness`),
    timeoutMs: startTimeoutMs,
    signal,
  });
  const address = toPublicAddress(host, addresses.gatewayPort, basePath);
  state.noteReady(new Date(), address);
  return { address, children: [...children.values()] };
}

function lockData(dataDir: string): Step {
  const paths = pathsIn(dataDir);
  try {
    return takeLock(paths.lock).release;
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const state = readState(paths.state);
    const address = state?.launcher.pid === error.holder.pid ? state.address : null;
    const where = address === null ? '' : ` at ${address}`;
    throw new LauncherError(
      `Birdhub is already running with the data in ${dataDir}: process ${error.holder.pid}${where}.`,
    );
  }
}

/** Reserves the hub's port until the gateway listens on it or the start fails. */
async function reservePort(host: string, port: number, undo: Step[]) {
  const free = await holdPort(host, port);
  let releasing: Promise<void> | undefined;
  const release = () => {
    releasing ??= free();
    return releasing;
  };
  undo.unshift(release);
  return { release };
}

function createState({ dataDir, host, port, basePath }: Options, log: Log): StateFile {
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process cannot identify itself');
  const address = port === 0 ? null : toPublicAddress(host, port, basePath);
  return new StateFile(pathsIn(dataDir).state, self, address, log);
}

async function openAddresses({ options, log }: HubDeps, undo: Step[]): Promise<ServiceAddresses> {
  const paths = pathsIn(options.dataDir);
  const folder = await openSocketFolder(paths.sockets, longestSocketName);
  undo.unshift(folder.remove);
  const { port, opsHost, opsPorts } = options;
  return new ServiceAddresses({
    portsFile: paths.ports,
    socketFolder: folder.path,
    ...{ port, opsHost, opsPorts, log },
  });
}

async function findFacts(
  { options }: HubDeps,
  addresses: ServiceAddresses,
  servers: Servers,
): Promise<() => HubFacts> {
  const { dataDir, recordingsDir, host } = options;
  const internalSecret =
    options.internalSecret ?? (await readOrCreateSecret(pathsIn(dataDir).internalSecret)).value;
  return () => ({
    host,
    addresses,
    databaseUrl: servers.databaseUrl,
    natsUrl: servers.natsUrl,
    dataDir,
    recordingsDir,
    internalSecret,
  });
}

/** Restarts the services that connect to nats-server: all except a separate gateway. */
function restartServices(children: Map<Program, ChildService>, log: Log): void {
  for (const [{ name }, child] of children) {
    if (name === 'gateway') continue;
    log.warn({ child: name }, 'nats-server moved to another port, restarting the service');
    child
      .restart()
      .catch((error: unknown) => log.error({ child: name, err: String(error) }, 'service not restarted'));
  }
}

interface Server {
  readonly url: string;
  readonly stops: readonly Step[];
}

/** The current addresses of the servers. */
interface Servers {
  readonly databaseUrl: string;
  readonly natsUrl: string;
}

interface ServersDeps {
  readonly options: Options;
  readonly state: StateFile;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
  /** Called when nats-server moved to another port after a crash. */
  readonly onMove: () => void;
}

/** Starts the embedded servers, unless the environment names external ones; adds their stop to `undo`. */
async function startServers(deps: ServersDeps, undo: Step[]): Promise<Servers> {
  const { databaseUrl, natsUrl } = deps.options;
  const [postgres, nats] = await Promise.allSettled([
    databaseUrl === undefined ? embedPostgres(deps) : external(databaseUrl),
    natsUrl === undefined ? embedNats(deps) : external(natsUrl),
  ]);
  // The database is stopped after the broker; each is stopped even if the other failed to start.
  for (const server of [postgres, nats]) {
    if (server.status === 'fulfilled') undo.unshift(...server.value.stops);
  }
  if (postgres.status === 'rejected') throw postgres.reason;
  if (nats.status === 'rejected') throw nats.reason;
  const [database, broker] = [postgres.value, nats.value];
  return {
    databaseUrl: database.url,
    get natsUrl() {
      return broker.url;
    },
  };
}

async function external(url: string): Promise<Server> {
  return { url, stops: [] };
}

async function embedPostgres({ options, state, log, signal }: ServersDeps): Promise<Server> {
  const server = await startPostgres({
    dataDir: pathsIn(options.dataDir).postgres,
    log,
    signal,
    onChange: ({ pid, socket }) => state.note({ name: 'postgres', socket, readyUrls: [] }, pid),
  });
  return { url: server.url, stops: [server.stop] };
}

async function embedNats({ options, state, log, signal, onMove }: ServersDeps): Promise<Server> {
  const server = await startNats({
    storeDir: pathsIn(options.dataDir).nats,
    reservedPort: options.port,
    log,
    signal,
    onChange: ({ pid, port }) => state.note({ name: 'nats', port, readyUrls: [] }, pid),
    onMove,
  });
  return {
    get url() {
      return server.url;
    },
    stops: [server.stop],
  };
}

/**
 * Listens on the hub's port while other servers start, so that none of them takes it; closes connections immediately.
 * Does nothing for port 0. Returns a function that releases the port.
 * @throws LauncherError when the port is not available
 */
function holdPort(host: string, port: number): Promise<() => Promise<void>> {
  if (port === 0) return Promise.resolve(async () => undefined);
  const server = createServer((socket) => socket.destroy());
  const release = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  return new Promise((resolve, reject) => {
    server.once('error', () => reject(portTaken(host, port)));
    server.listen({ host, port, exclusive: true }, () => resolve(release));
  });
}

function portTaken(host: string, port: number): LauncherError {
  return new LauncherError(
    `Port ${port} of ${host} cannot be listened on, most likely another program has it: set PORT to another one.`,
  );
}
