import { opsPortVariable } from '@birdhub/launcher/options';
import { serviceNames } from '@birdhub/launcher/service-addresses';

/** A variable that a program other than a service reads. */
export interface GivenVariable {
  readonly name: string;
  /** As it is written into an environment; empty when there is none. */
  readonly default: string;
  readonly description: string;
  /** Whether `NAME_FILE` may name a file that holds it. */
  readonly isSecret?: true;
}

/** What `npm start`, `npm run dev` and `npm run hub` read: `packages/launcher/src/options.ts`. */
export const launcherVariables: readonly GivenVariable[] = [
  { name: 'PORT', default: '8080', description: 'Port of the hub; 0 takes a free one' },
  ...serviceNames.map((name) => ({
    name: opsPortVariable(name),
    default: '',
    description: `Port of ${name} for scraping; when not set, a free one that is remembered in \`DATA_DIR/ports.json\``,
  })),
  {
    name: 'HOST',
    default: '0.0.0.0',
    description: 'Address the hub listens on; 127.0.0.1 for this machine alone',
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
    description: 'A PostgreSQL of your own; the embedded one, in `DATA_DIR/postgres`, when not set',
    isSecret: true,
  },
  {
    name: 'NATS_URL',
    default: '',
    description:
      'A NATS with JetStream of your own, several servers with commas; an own nats-server, with its store in `DATA_DIR/nats`, when not set',
    isSecret: true,
  },
  {
    name: 'INTERNAL_SECRET',
    default: '',
    description:
      'Secret that the gateway proves itself with to the services; made once and kept in `DATA_DIR/internal.secret` when not set',
    isSecret: true,
  },
  {
    name: 'BACKUP_PASSPHRASE_FILE',
    default: '',
    description:
      'File with the passphrase that wraps the keys in a backup, for `npm run hub -- backup` and `restore`',
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
      'Ops ports of services that run without the launcher, such as `http://query:9464`, with commas: those that `npm run hub -- status` asks. The composition of containers sets it',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    description: 'Minimum level that services log: trace, debug, info, warn, error, fatal or silent',
  },
];

/** What `npm run demo` and `npm run bench` read beside their options. */
export const toolVariables: readonly GivenVariable[] = [
  { name: 'HUB', default: 'http://localhost:8080', description: 'Address of the hub that the demo posts to' },
  {
    name: 'BENCH_DATA_DIR',
    default: '',
    description: 'Where the benchmarks keep their data sets; a temporary folder of the system when not set',
  },
];
