import { fileVariables } from './options.js';
import type { ServiceAddresses } from './service-addresses.js';
import { innerServices, type ServiceName } from './service-names.js';

/** What the services are told. */
export type HubFacts = {
  readonly host: string;
  readonly addresses: Pick<ServiceAddresses, 'reservedPort' | 'gatewayPort' | 'opsPortOf' | 'socketOf'>;
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly internalSecret: string;
  readonly contractFile: string;
};

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
    RESERVED_PORT: String(facts.addresses.reservedPort),
  };
  for (const name of fileVariables) delete env[name];
  return env;
}

/** What one service gets beside that. */
export function ownEnvironment(name: ServiceName, { addresses, ...facts }: HubFacts): Record<string, string> {
  const opsPort = String(addresses.opsPortOf(name));
  if (name !== 'gateway') return { SOCKET_PATH: addresses.socketOf(name), OPS_PORT: opsPort };
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
    CONTRACT_FILE: facts.contractFile,
  };
}
