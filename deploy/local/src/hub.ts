import { join } from 'node:path';
import { toLocalOrigin, toPublicAddress } from './addresses.js';
import type { ChildService } from './child-service.js';
import { makeDataFolders } from './data-folders.js';
import { findFreePort, findFreePorts, isPortFree } from './free-port.js';
import { LockHeldError, takeLock } from './instance-lock.js';
import { keepSecret } from './kept-secret.js';
import { LauncherError } from './launcher-error.js';
import { stopLeftovers } from './leftovers.js';
import type { Log } from './log.js';
import type { Options } from './options.js';
import { placesIn } from './places.js';
import { identifyProcess } from './process-identity.js';
import { type FindProgram, planPrograms, planSingleProcess } from './programs.js';
import { runAll, type Step } from './run-all.js';
import { startServers } from './servers.js';
import { type HubFacts, type ServiceName, type ServicePorts, serviceNames } from './service-environments.js';
import { startServices, type WriteLine, waitForServices } from './services.js';
import { StateFile } from './state-file.js';
import { answersOk, waitReady } from './wait-ready.js';

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
  await makeDataFolders([options.dataDir, options.recordingsDir]);
  const port = options.port === 0 ? await findFreePort() : options.port;
  const address = toPublicAddress(options.host, port, options.basePath);
  undo.unshift(lockData(options.dataDir, address));
  await stopLeftovers(placesIn(options.dataDir).state, log);
  if (!(await isPortFree(port, options.host))) throw portTaken(options.host, port);
  const state = createState(options.dataDir, address);
  undo.unshift(() => state.remove());

  const servers = await startServers(options, state, undo, log, signal);
  const applied = await parts.migrate(servers.databaseUrl, signal);
  if (applied.length > 0) log.info({ applied }, 'database brought up to date');

  const facts = { ...(await findFacts(parts, port)), ...servers };
  const groups = options.isSingleProcess
    ? planSingleProcess(parts.env, facts)
    : planPrograms(parts.env, facts, parts.findProgram);
  const children = await startServices(groups, state, undo, parts);
  await waitForServices(children, signal);
  await waitReady({
    what: 'The hub',
    isReady: () => answersOk(`${toLocalOrigin(options.host, port)}${options.basePath}/api/ui/readiness`),
    timeoutMs: 60_000,
    signal,
  });
  state.noteReady(new Date());
  return { address, children: [...children.values()] };
}

function lockData(dataDir: string, address: string): Step {
  try {
    return takeLock(placesIn(dataDir).lock, { address }).release;
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    const where = error.holder.address === undefined ? '' : ` at ${error.holder.address}`;
    throw new LauncherError(
      `Birdhub already runs with the data in ${dataDir}: process ${error.holder.pid}${where}.`,
    );
  }
}

function portTaken(host: string, port: number): LauncherError {
  return new LauncherError(
    `Port ${port} of ${host} cannot be listened on, most likely another program has it: set PORT to another one.`,
  );
}

function createState(dataDir: string, address: string): StateFile {
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new Error('this process cannot identify itself');
  return new StateFile(placesIn(dataDir).state, self, address);
}

async function findFacts({ options, repository }: HubParts, gatewayPort: number) {
  const { dataDir, recordingsDir, host } = options;
  const secret = options.internalSecret ?? (await keepSecret(placesIn(dataDir).internalSecret)).value;
  const free = await findFreePorts(serviceNames.length * 2);
  const ports = serviceNames.map((name, index): [ServiceName, ServicePorts] => {
    const [port = 0, opsPort = 0] = free.slice(index * 2);
    return [name, { port: name === 'gateway' ? gatewayPort : port, opsPort }];
  });
  const facts: Omit<HubFacts, 'databaseUrl' | 'natsUrl'> = {
    host,
    ports: Object.fromEntries(ports) as HubFacts['ports'],
    dataDir,
    recordingsDir,
    internalSecret: secret,
    contractFile: join(repository, 'openapi.yaml'),
  };
  return facts;
}
