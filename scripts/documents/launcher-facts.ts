import {
  type HubFacts,
  ownEnvironment,
  serviceNames,
  sharedEnvironment,
} from '../../deploy/local/src/service-environments.js';

const ports = { port: 0, opsPort: 0 };
const facts: HubFacts = {
  host: '',
  ports: { gateway: ports, ingest: ports, query: ports, reports: ports, system: ports },
  databaseUrl: '',
  natsUrl: '',
  dataDir: '',
  recordingsDir: '',
  internalSecret: '',
  contractFile: '',
};

/** The variables of services that the launcher sets itself; all others it hands on as they are. */
export const setByLauncher: ReadonlySet<string> = new Set([
  ...Object.keys(sharedEnvironment({}, facts)),
  ...serviceNames.flatMap((name) => Object.keys(ownEnvironment(name, facts))),
]);
