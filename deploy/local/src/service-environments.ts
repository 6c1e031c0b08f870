import { fileVariables } from './options.js';

/** The services behind the gateway. */
export const innerServices = ['ingest', 'query', 'reports', 'system'] as const;

export const serviceNames = ['gateway', ...innerServices] as const;

export type ServiceName = (typeof serviceNames)[number];

/** Where a service listens. */
export type ServicePorts = { readonly port: number; readonly opsPort: number };

/** What the services are told. */
export type HubFacts = {
  readonly host: string;
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly internalSecret: string;
  readonly contractFile: string;
};

const loopback = '127.0.0.1';

/** What all services get: everything the launcher was given, and what it found out. */
export function sharedEnvironment(given: NodeJS.ProcessEnv, facts: HubFacts): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...given,
    DATABASE_URL: facts.databaseUrl,
    NATS_URL: facts.natsUrl,
    DATA_DIR: facts.dataDir,
    RECORDINGS_DIR: facts.recordingsDir,
    INTERNAL_SECRET: facts.internalSecret,
    LOG_LEVEL: given['LOG_LEVEL'] || 'info',
  };
  for (const name of fileVariables) delete env[name];
  return env;
}

/** What one service gets beside that. */
export function ownEnvironment(name: ServiceName, facts: HubFacts): Record<string, string> {
  const { port, opsPort } = facts.ports[name];
  const own = { HOST: loopback, PORT: String(port), OPS_PORT: String(opsPort) };
  if (name !== 'gateway') return own;
  const urls = innerServices.map((inner) => [
    `${inner.toUpperCase()}_URL`,
    `http://${loopback}:${facts.ports[inner].port}`,
  ]);
  return { ...own, ...Object.fromEntries(urls), HOST: facts.host, CONTRACT_FILE: facts.contractFile };
}
