import { type HubFacts, ownEnvironment, sharedEnvironment } from '@birdhub/launcher/programs';
import { serviceNames } from '@birdhub/launcher/service-addresses';

const facts: HubFacts = {
  host: '',
  addresses: { reservedPort: 0, gatewayPort: 0, opsPortOf: () => 0, socketOf: () => '' },
  databaseUrl: '',
  natsUrl: '',
  dataDir: '',
  recordingsDir: '',
  internalSecret: '',
};

/** The variables of services that the launcher sets; it passes all others on unchanged. */
export const setByLauncher: ReadonlySet<string> = new Set([
  ...Object.keys(sharedEnvironment({}, facts)),
  ...serviceNames.flatMap((name) => Object.keys(ownEnvironment(name, facts))),
]);
