import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAll, type Step } from '@birdhub/launcher/lifecycle';
import { createLog } from '@birdhub/launcher/log';
import { startNats } from '@birdhub/launcher/nats-server';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import type {} from '@birdhub/testing/provided';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { copyTemplate } from './data-template.js';

// Tests may lose their data in a power cut.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Some tests open pools of 16, several files at once.
  max_connections: '300',
};

const ignore = () => undefined;
const undo: Step[] = [];

/** Starts a PostgreSQL and a nats-server on free ports, in a temporary folder. */
export async function setup(project: TestProject): Promise<void> {
  try {
    await provideServers(project);
  } catch (error) {
    // vitest does not call `teardown` after a failed set-up.
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await runAll(undo.splice(0));
}

async function provideServers(project: TestProject): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-test-'));
  undo.unshift(() => rm(folder, { recursive: true }));
  await copyTemplate(folder);
  // Tests provoke warnings of the servers.
  const log = { ...createLog('test'), info: ignore, warn: ignore };
  // Some tests run a service as another user, which needs access to the socket only.
  const socketFolder = join(folder, 'sockets');
  await mkdir(socketFolder);
  await chmod(socketFolder, 0o777);
  await chmod(folder, 0o711);
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), socketFolder, log, settings });
  undo.unshift(postgres.stop);
  await simplifyLogin(postgres.url);
  const nats = await startNats({ storeDir: join(folder, 'nats'), log });
  undo.unshift(nats.stop);
  const admin = new URL(postgres.url);
  const templateDatabase = admin.pathname.slice(1);
  // A database with open connections cannot be cloned.
  admin.pathname = '/postgres';
  project.provide('databaseUrl', admin.href);
  project.provide('templateDatabase', templateDatabase);
  project.provide('natsUrl', nats.url);
}

/** Stores the password with one iteration of its hash: tests open thousands of connections. */
async function simplifyLogin(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET scram_iterations = 1');
    const { rows } = await client.query<{ statement: string }>(
      "SELECT format('ALTER ROLE CURRENT_USER PASSWORD %L', $1::text) AS statement",
      [client.password],
    );
    await client.query(rows[0]?.statement ?? '');
  } finally {
    await client.end();
  }
}
