import { fileVariables } from './options.js';
import { innerServices, type ServiceAddresses, type ServiceName, serviceNames } from './service-addresses.js';

/** A Node.js program to be supervised. */
export interface Program {
  readonly name: string;
  readonly file: string;
  /** The services that it runs. */
  readonly services: readonly ServiceName[];
  /** Evaluated at each start, as addresses may change. */
  readonly env: () => NodeJS.ProcessEnv;
}

/** Programs in groups, which are started together and stopped group by group. */
export type ProgramGroups = readonly (readonly Program[])[];

/** A service, all services in one process, or the migration of the database. */
export type ProgramName = ServiceName | 'single-process' | 'migration';

/** Returns the file of a program. */
export type FindProgram = (name: ProgramName) => string;

/** The variable that contains the environments of the services in a single process, as JSON. */
export const singleProcessVariable = 'HUB_SERVICE_ENVIRONMENTS';

/** Plans five processes; the gateway stops first, so that it can complete requests in flight. */
export function planPrograms(
  given: NodeJS.ProcessEnv,
  readFacts: () => HubFacts,
  findProgram: FindProgram,
): ProgramGroups {
  const plan = (name: ServiceName): Program => ({
    name,
    file: findProgram(name),
    services: [name],
    env: () => ({ ...sharedEnvironment(given, readFacts()), ...ownEnvironment(name, readFacts()) }),
  });
  return [[plan('gateway')], innerServices.map(plan)];
}

/** Plans one process with all five services, for small boards. */
export function planSingleProcess(
  given: NodeJS.ProcessEnv,
  readFacts: () => HubFacts,
  findProgram: FindProgram,
): ProgramGroups {
  const env = () => {
    const facts = readFacts();
    const own = Object.fromEntries(serviceNames.map((name) => [name, ownEnvironment(name, facts)]));
    return { ...sharedEnvironment(given, facts), [singleProcessVariable]: JSON.stringify(own) };
  };
  return [[{ name: 'services', file: findProgram('single-process'), services: serviceNames, env }]];
}

/** The values from which the environments of the services are built. */
export interface HubFacts {
  readonly host: string;
  readonly addresses: Pick<ServiceAddresses, 'reservedPort' | 'gatewayPort' | 'opsPortOf' | 'socketOf'>;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly internalSecret: string;
}

/** Returns the environment of all services: that of the launcher, and the addresses and folders that it has determined. */
export function sharedEnvironment(given: NodeJS.ProcessEnv, facts: HubFacts): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...given,
    DATABASE_URL: facts.databaseUrl,
    NATS_URL: facts.natsUrl,
    DATA_DIR: facts.dataDir,
    RECORDINGS_DIR: facts.recordingsDir,
    INTERNAL_SECRET: facts.internalSecret,
    LOG_LEVEL: given['LOG_LEVEL'] || 'info',
    RESERVED_PORT: String(facts.addresses.reservedPort),
    HUB_ADDRESSES: [given['HUB_ADDRESSES'], ...ownPorts(facts)].filter(Boolean).join(','),
  };
  for (const name of fileVariables) delete env[name];
  return env;
}

function ownPorts({ addresses }: HubFacts): number[] {
  return [addresses.gatewayPort, ...serviceNames.map((name) => addresses.opsPortOf(name))];
}

/** Returns the variables specific to one service. */
export function ownEnvironment(name: ServiceName, { addresses, ...facts }: HubFacts): Record<string, string> {
  const opsPort = String(addresses.opsPortOf(name));
  if (name !== 'gateway') {
    const own = { SOCKET_PATH: addresses.socketOf(name), OPS_PORT: opsPort };
    return name === 'system' ? { ...own, REPORTS_URL: `unix:${addresses.socketOf('reports')}` } : own;
  }
  const urls = innerServices.map((inner) => [
    `${inner.toUpperCase()}_URL`,
    `unix:${addresses.socketOf(inner)}`,
  ]);
  return {
    ...Object.fromEntries(urls),
    HOST: facts.host,
    PORT: String(addresses.gatewayPort),
    SOCKET_PATH: '',
    OPS_PORT: opsPort,
  };
}
