import { type HubFacts, ownEnvironment, sharedEnvironment } from './service-environments.js';
import { innerServices, type ServiceName, serviceNames } from './service-names.js';

/** A Node.js program to be kept running. */
export type Program = {
  readonly name: string;
  readonly file: string;
  /** The services that are in it. */
  readonly services: readonly ServiceName[];
  /** Read at each start: an address may have changed since the one before. */
  readonly env: () => NodeJS.ProcessEnv;
};

/** The programs in groups: started all at once, stopped group by group. */
export type ProgramGroups = readonly (readonly Program[])[];

/** A service, or all of them in one process. */
export type ProgramName = ServiceName | 'single-process';

/** Where a program is. */
export type FindProgram = (name: ProgramName) => string;

/** The variable that tells the single process what each of its services gets, as JSON. */
export const singleProcessVariable = 'HUB_SERVICE_ENVIRONMENTS';

/** Five processes; the gateway stops first and answers what is in flight with the others still there. */
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

/** One process with the five services in it, for small boards. */
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
