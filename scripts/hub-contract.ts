import { createGatewayApp } from '@birdhub/gateway';
import { readContract, type ServiceRoutes, writeContract } from '@birdhub/gateway/contract';
import { createIngestApp } from '@birdhub/ingest';
import { createQueryApp } from '@birdhub/query';
import { createReportsApp } from '@birdhub/reports';
import { declaredRoutes, type HubApp } from '@birdhub/shared/app';
import { createLog } from '@birdhub/shared/log';
import { createMetrics } from '@birdhub/shared/metrics';
import { createSystemApp } from '@birdhub/system';
import { contractExamples } from './documents/contract-examples.js';
import { hubVersion } from './hub-version.js';

/** The published contract. */
export const contractFile = new URL('../openapi.yaml', import.meta.url);

/** The operations for the gateway, which need not parse the contract at its start. */
export const operationsFile = new URL('../services/gateway/src/contract/operations.ts', import.meta.url);

function refuseToWork(): never {
  throw new Error('This application only declares its routes');
}

/** Replaces all dependencies of an application that declares its routes but never handles a request. */
const inert: object = new Proxy(refuseToWork, { get: () => inert });

/** Returns dependencies with which an application can declare its routes. */
function idleDependencies<T extends object>(service: string): T {
  const own = {
    log: createLog(service, 'silent'),
    metrics: createMetrics(service),
    operations: [],
    contractText: '',
    contractPage: undefined,
    basePath: '',
    internalSecret: '',
    webDir: undefined,
  };
  return new Proxy(own, {
    get: (target, key) => (key in target ? Reflect.get(target, key) : inert),
  }) as unknown as T;
}

async function routesOf(service: string, app: HubApp): Promise<ServiceRoutes> {
  await app.ready();
  return { service, routes: declaredRoutes(app) };
}

/** Returns the current text of `openapi.yaml`, generated from the routes of all services. */
export async function generateContract(): Promise<string> {
  const services = await Promise.all([
    routesOf('gateway', createGatewayApp(idleDependencies('gateway'))),
    routesOf('ingest', createIngestApp(idleDependencies('ingest'))),
    routesOf('query', createQueryApp(idleDependencies('query'))),
    routesOf('reports', createReportsApp(idleDependencies('reports'))),
    routesOf('system', createSystemApp(idleDependencies('system'))),
  ]);
  const operations = readContract(await writeContract(hubVersion(), services)).operations;
  return writeContract(hubVersion(), services, contractExamples(operations));
}

/** Returns the text of {@link operationsFile} for the text of the contract. */
export function generateOperations(contract: string): string {
  const lines = readContract(contract).operations.map((operation) => `  ${JSON.stringify(operation)},`);
  return [
    '// Made by `npm run contract` from the routes of all services; edit those.',
    "import type { Operation } from './read-contract.js';",
    '',
    '/** Every operation of `openapi.yaml`. */',
    'export const publishedOperations: readonly Operation[] = [',
    ...lines,
    '];',
    '',
  ].join('\n');
}
