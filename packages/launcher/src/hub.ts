import { join } from 'node:path';
import { toLocalOrigin, toPublicAddress } from './addresses.js';
import type { ChildService } from './child-service.js';
import { makeDataFolders } from './data-folders.js';
import { holdPort } from './held-port.js';
import { LockHeldError, takeLock } from './instance-lock.js';
import { keepSecret } from './kept-secret.js';
import { LauncherError } from './launcher-error.js';
import { stopLeftovers } from './leftovers.js';
import type { Log } from './log.js';
import type { Options } from './options.js';
import { placesIn } from './places.js';
import { identifyProcess } from './process-identity.js';
import { type FindProgram, type Program, planPrograms, planSingleProcess } from './programs.js';
import { runAll, type Step } from './run-all.js';
import { type Servers, startServers } from './servers.js';
import { longestSocketName, ServiceAddresses } from './service-addresses.js';
import type { HubFacts } from './service-environments.js';
import { startServices, type WriteLine, waitForServices } from './services.js';
import { openSocketFolder } from './socket-folder.js';
import { readState, StateFile } from './state-file.js';
import { answersOk, startTimeoutMs, waitReady } from './wait-ready.js';

/** What the composition is made of. */
export type HubParts = {
  readonly options: Options;
  /** Handed on to the services. */
  readonly env: NodeJS.ProcessEnv;
  readonly repository: string;
  readonly findProgram: FindProgram;
  readonly migrate: (databaseUrl: string, signal?: AbortSignal) => Promise<string[]>;
  readonly log: Log;
  readonly writeLine: WriteLine;
  /** Gives the start up; what was started is stopped again. */
  readonly signal?: AbortSignal;
};

/** A hub that is ready. */
export type Hub = {
  readonly address: string;
  readonly children: readonly ChildService[];
  /** Stops everything in order: gateway, services, broker, database. */
  stop(): Promise<void>;
};

/** Starts the whole hub and returns when it is ready. @throws LauncherError when it cannot start for a plain reason */
export async function startHub(parts: HubParts): Promise<Hub> {
  const undo: Step[] = [];
  try {
    const { children, address } = await compose(parts, undo);
    return { address, children, stop: () => runAll(undo) };
  } catch (error) {
    await runAll(undo);
    throw error;
  }
}

async function compose(parts: HubParts, undo: Step[]) {
  const { options, log, signal } = parts;
  const { host, port, basePath } = options;
  await makeDataFolders(options, log);
  undo.unshift(lockData(options.dataDir));
  await stopLeftovers(placesIn(options.dataDir).state, log);
  const held = await heldUntilReleased(host, port, undo);
  const state = createState(options.dataDir, port === 0 ? null : toPublicAddress(host, port, basePath));
  undo.unshift(() => state.remove());

  let moveServices = () => {};
  const onMove = () => moveServices();
  const servers = await startServers({ options, state, log, signal, onMove }, undo);
  const applied = await parts.migrate(servers.databaseUrl, signal);
  if (applied.length > 0) log.info({ applied }, 'database brought up to date');

  const addresses = await openAddresses(parts, undo);
  const readFacts = await findFacts(parts, addresses, servers);
  const plan = options.isSingleProcess ? planSingleProcess : planPrograms;
  const groups = plan(parts.env, readFacts, parts.findProgram);
  await held.release();
  const children = await startServices(groups, undo, { ...parts, state, addresses });
  moveServices = () => restartServices(children, log);
  await waitForServices(children, addresses, signal);
  await waitReady({
    what: 'The hub',
    isReady: () => answersOk(`${toLocalOrigin(host, addresses.gatewayPort)}${basePath}/api/ui/readiness`),
    timeoutMs: startTimeoutMs,
    signal,
  });
  const address = toPublicAddress(host, addresses.gatewayPort, basePath);
  state.noteReady(new Date(), address);
  return { address, children: [...children.values()] };
}

function lockData(dataDir: string): Step {
  const places = placesIn(dataDir);
  try {
    return takeLock(places.lock).release;
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const state = readState(places.state);
    const address = state?.launcher.pid === error.holder.pid ? state.address : null;
    const where = address === null ? '' : ` at ${address}`;
    throw new LauncherError(
      `Birdhub already runs with the data in ${dataDir}: process ${error.holder.pid}${where}.`,
    );
  }
}

/** Holds the hub's port until the gateway is to have it, or the start is given up. */
async function heldUntilReleased(host: string, port: number, undo: Step[]) {
  const letGo = await holdPort(host, port);
  let releasing: Promise<void> | undefined;
  const release = () => {
    releasing ??= letGo();
    return releasing;
  };
  undo.unshift(release);
  return { release };
}

function createState(dataDir: string, address: string | null): StateFile {
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process cannot identify itself');
  return new StateFile(placesIn(dataDir).state, self, address);
}

async function openAddresses({ options }: HubParts, undo: Step[]): Promise<ServiceAddresses> {
  const places = placesIn(options.dataDir);
  const folder = await openSocketFolder(places.sockets, longestSocketName);
  undo.unshift(folder.remove);
  const { port, opsHost, opsPorts } = options;
  return new ServiceAddresses({
    portsFile: places.ports,
    socketFolder: folder.path,
    ...{ port, opsHost, opsPorts },
  });
}

async function findFacts(
  { options, repository }: HubParts,
  addresses: ServiceAddresses,
  servers: Servers,
): Promise<() => HubFacts> {
  const { dataDir, recordingsDir, host } = options;
  const internalSecret = options.internalSecret ?? (await keepSecret(placesIn(dataDir).internalSecret)).value;
  return () => ({
    host,
    addresses,
    databaseUrl: servers.databaseUrl,
    natsUrl: servers.natsUrl,
    dataDir,
    recordingsDir,
    internalSecret,
    contractFile: join(repository, 'openapi.yaml'),
  });
}

/** Starts the services again that are told where nats-server is: all but a gateway of its own process. */
function restartServices(children: Map<Program, ChildService>, log: Log): void {
  for (const [{ name }, child] of children) {
    if (name === 'gateway') continue;
    log.warn({ child: name }, 'nats-server has moved to another port, starting the service again');
    child
      .restart()
      .catch((error: unknown) => log.error({ child: name, err: String(error) }, 'not restarted'));
  }
}
