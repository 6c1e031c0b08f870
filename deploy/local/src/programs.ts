import { fileURLToPath } from 'node:url';
import { toLocalOrigin } from './addresses.js';
import {
  type HubFacts,
  innerServices,
  ownEnvironment,
  type ServiceName,
  serviceNames,
  sharedEnvironment,
} from './service-environments.js';

/** A Node.js program to be kept running. */
export type Program = {
  readonly name: string;
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly port: number;
  /** All of them answer 200 when it is ready. */
  readonly readyUrls: readonly string[];
};

/** The programs in groups: started all at once, stopped group by group. */
export type ProgramGroups = readonly (readonly Program[])[];

/** Where a service's program is. */
export type FindProgram = (name: ServiceName) => string;

/** The variable that tells the single process what each of its services gets, as JSON. */
export const singleProcessVariable = 'HUB_SERVICE_ENVIRONMENTS';

/** Five processes; the gateway stops first and answers what is in flight with the others still there. */
export function planPrograms(
  given: NodeJS.ProcessEnv,
  facts: HubFacts,
  findProgram: FindProgram,
): ProgramGroups {
  const shared = sharedEnvironment(given, facts);
  const plan = (name: ServiceName): Program => ({
    name,
    file: findProgram(name),
    env: { ...shared, ...ownEnvironment(name, facts) },
    port: facts.ports[name].port,
    readyUrls: [readyUrl(name, given, facts)],
  });
  return [[plan('gateway')], innerServices.map(plan)];
}

/** One process with the five services in it, for small boards. */
export function planSingleProcess(given: NodeJS.ProcessEnv, facts: HubFacts): ProgramGroups {
  const own = Object.fromEntries(serviceNames.map((name) => [name, ownEnvironment(name, facts)]));
  const program: Program = {
    name: 'services',
    file: fileURLToPath(new URL('./single-process.js', import.meta.url)),
    env: { ...sharedEnvironment(given, facts), [singleProcessVariable]: JSON.stringify(own) },
    port: facts.ports.gateway.port,
    readyUrls: serviceNames.map((name) => readyUrl(name, given, facts)),
  };
  return [[program]];
}

function readyUrl(name: ServiceName, given: NodeJS.ProcessEnv, facts: HubFacts): string {
  return `${toLocalOrigin(given['OPS_HOST'] || '127.0.0.1', facts.ports[name].opsPort)}/readyz`;
}
