import { opsPortVariable } from '@birdhub/launcher/options';
import { serviceNames } from '@birdhub/launcher/service-addresses';

/** A variable of a program other than a service. */
export interface GivenVariable {
  readonly name: string;
  /** The default as in an environment; empty when there is none. */
  readonly default: string;
  readonly description: string;
  /** Whether `NAME_FILE` may name a file that contains it. */
  readonly isSecret?: true;
}

/** The variables of `npm start`, `npm run dev` and `npm run hub`, see `packages/launcher/src/options.ts`. */
export const launcherVariables: readonly GivenVariable[] = [
  { name: 'PORT', default: '8080', description: 'Port of the hub; 0 for a free port' },
  ...serviceNames.map((name) => ({
    name: opsPortVariable(name),
    default: '',
    description: `Metrics port of ${name}; when not set, a free port that is stored in \`DATA_DIR/ports.json\``,
  })),
  {
    name: 'HOST',
    default: '0.0.0.0',
    description: 'Address to listen on; 127.0.0.1 for this machine only',
  },
  {
    name: 'BASE_PATH',
    default: '',
    description: 'Path under which the hub is served, such as `/birds`; empty for the root',
  },
  {
    name: 'DATA_DIR',
    default: 'data',
    description: 'Folder for all data that the hub stores on disk; relative to the repository',
  },
  {
    name: 'RECORDINGS_DIR',
    default: '',
    description: 'Folder of the recordings; defaults to `DATA_DIR/recordings`',
  },
  {
    name: 'DATABASE_URL',
    default: '',
    description: 'URL of your own PostgreSQL; when not set, an embedded one in `DATA_DIR/postgres`',
    isSecret: true,
  },
  {
    name: 'NATS_URL',
    default: '',
    description:
      'URLs of your own NATS with JetStream, separated by commas; when not set, an embedded nats-server with its store in `DATA_DIR/nats`',
    isSecret: true,
  },
  {
    name: 'INTERNAL_SECRET',
    default: '',
    description:
      'Secret with which the gateway authenticates to the services; when not set, it is generated and stored in `DATA_DIR/internal.secret`',
    isSecret: true,
  },
  {
    name: 'BACKUP_PASSPHRASE_FILE',
    default: '',
    description:
      'File with the passphrase that encrypts the keys in a backup, for `npm run hub -- backup` and `restore`',
  },
  {
    name: 'HUB_SINGLE_PROCESS',
    default: '0',
    description: '1 runs the five services in one Node.js process, for small boards',
  },
  {
    name: 'HUB_OPS_URLS',
    default: '',
    description:
      'URLs of the ops ports of services that run without the launcher, such as `http://query:9464`, separated by commas, for `npm run hub -- status`. Set by the compose file',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    description: 'Minimum log level: trace, debug, info, warn, error, fatal or silent',
  },
];

/** The variables of `npm run demo` and `npm run bench`. */
export const toolVariables: readonly GivenVariable[] = [
  { name: 'HUB', default: 'http://localhost:8080', description: 'Address of the hub that the demo posts to' },
  {
    name: 'BENCH_DATA_DIR',
    default: '',
    description: 'Folder for the data sets of the benchmarks; defaults to a temporary folder of the system',
  },
];
