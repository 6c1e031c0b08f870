import { join } from 'node:path';

/** Where things are in the data folder. */
export function placesIn(dataDir: string) {
  return {
    lock: join(dataDir, 'hub.lock'),
    state: join(dataDir, 'hub-state.json'),
    postgres: join(dataDir, 'postgres'),
    nats: join(dataDir, 'nats'),
    ports: join(dataDir, 'ports.json'),
    sockets: join(dataDir, 'sockets'),
    backups: join(dataDir, 'backups'),
    internalSecret: join(dataDir, 'internal.secret'),
  } as const;
}
