import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seedCatalogue } from '@birdhub/domain/species';
import { pathsIn } from '@birdhub/launcher/data-folder';
import { createLog } from '@birdhub/launcher/log';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import { migrate } from '@birdhub/shared/db';
import type { Scale } from '../data-set/scale.js';
import { signalOnExit } from '../run/signal-on-exit.js';
import { loadDataSet } from './load-data-set.js';

/** A data folder of the hub that is filled with the data set. */
export interface Store {
  readonly folder: string;
  /** Duration of the loading, in s; undefined when the store already existed. */
  readonly loadSeconds: number | undefined;
}

// While it is filled, a store may be lost; afterwards it is only copied.
const loadSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  shared_buffers: '256MB',
  maintenance_work_mem: '256MB',
};

const sources = [
  '../data-set/',
  './',
  '../../../packages/shared/prisma/migrations/',
  '../../../packages/domain/src/species/',
];

/** Returns a digest of the sources of a store: generator, loader, tables and catalogue. */
async function digestOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const folder = new URL(source, import.meta.url);
    const files = await readdir(folder, { recursive: true });
    for (const file of files.sort()) {
      if (!/\.(ts|sql|csv)$/.test(file) || file.endsWith('.test.ts')) continue;
      hash.update(file).update(await readFile(new URL(file, folder)));
    }
  }
  return hash.digest('hex').slice(0, 12);
}

async function fill(folder: string, scale: Scale): Promise<void> {
  const quiet = { ...createLog('bench'), info: () => undefined };
  const server = await startPostgres({
    dataDir: pathsIn(folder).postgres,
    log: quiet,
    settings: loadSettings,
  });
  // An interrupt makes PostgreSQL end at once and in order.
  const forget = signalOnExit(() => server.pid, 'SIGINT');
  try {
    await migrate(server.url, seedCatalogue);
    await loadDataSet(server.url, scale);
  } finally {
    await server.stop();
    forget();
  }
}

/**
 * Returns the store of a scale from the cache (`BENCH_DATA_DIR`, otherwise the system's folder for temporary files),
 * and loads it first if it is missing. It must not be changed; runs use copies.
 */
export async function provideStore(scale: Scale, env: NodeJS.ProcessEnv): Promise<Store> {
  const cache = env['BENCH_DATA_DIR'] || join(tmpdir(), 'birdhub-bench');
  const folder = join(cache, `${scale.name}-${await digestOfSources()}`);
  const mark = join(folder, 'loaded.json');
  if (existsSync(mark)) return { folder, loadSeconds: undefined };
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const startedAt = performance.now();
  await fill(folder, scale);
  const loadSeconds = (performance.now() - startedAt) / 1000;
  await writeFile(mark, `${JSON.stringify({ scale: scale.name, loadSeconds })}\n`);
  return { folder, loadSeconds };
}
