import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LockHeldError } from '@birdhub/launcher/instance-lock';
import { createLog } from '@birdhub/launcher/log';
import { startNats } from '@birdhub/launcher/nats-server';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import { openDatabase } from '@birdhub/shared/db';
import { createLog as createServiceLog } from '@birdhub/shared/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const log = createLog('test', () => undefined);
let folder: string;
const dataDir = () => join(folder, 'postgres');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdhub-launcher-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the reply of a nats-server to a client with the credentials of this address. */
async function pingNats(natsUrl: string): Promise<string> {
  const { hostname, port, username, password } = new URL(natsUrl);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const credentials = username === '' ? {} : { user: username, pass: password };
  await once(socket, 'data');
  socket.write(`CONNECT ${JSON.stringify({ verbose: false, ...credentials })}\r\nPING\r\n`);
  const [response] = await once(socket, 'data');
  socket.destroy();
  return String(response).trim();
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = openDatabase({ url, max: 1, name: 'test', log: createServiceLog('test', 'silent') });
  try {
    return (await database.pool.query(sql)).rows;
  } finally {
    await database.close();
  }
}

describe('startPostgres', () => {
  it('with a folder that does not exist, starts a durable server that sorts by code point', async () => {
    const server = await startPostgres({ dataDir: dataDir(), log });
    const sql = `SELECT current_database() AS name, current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS commit, current_setting('server_encoding') AS encoding,
      current_setting('timezone') AS zone, upper('größe žuvėdra') AS upper, 'Z' < 'a' AS sorted`;
    const rows = await query(server.url, sql).finally(server.stop);
    expect(rows).toEqual([
      {
        name: 'birdhub',
        fsync: 'on',
        commit: 'on',
        encoding: 'UTF8',
        zone: 'UTC',
        upper: 'GRÖßE ŽUVĖDRA',
        sorted: true,
      },
    ]);
  });

  it('with folders closed to other users, keeps their modes', async () => {
    const above = join(folder, 'closed');
    mkdirSync(above, { mode: 0o700 });
    const inner = join(above, 'data');
    mkdirSync(inner, { mode: 0o700 });
    const server = await startPostgres({ dataDir: join(inner, 'postgres'), log });
    const rows = await query(server.url, 'SELECT 1 AS one').finally(server.stop);
    expect(rows).toEqual([{ one: 1 }]);
    const modes = [folder, above, inner, join(inner, 'postgres')].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o700]);
  });

  it('after a start, has the superuser password beside the folder, for its owner only', async () => {
    const server = await startPostgres({ dataDir: dataDir(), log });
    await server.stop();
    const file = `${dataDir()}.password`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(server.url).toContain(readFileSync(file, 'utf8').trim());
  });

  it('with a second start on the same folder, refuses that one while the first continues', async () => {
    const server = await startPostgres({ dataDir: dataDir(), log });
    await expect(startPostgres({ dataDir: dataDir(), log })).rejects.toThrow(LockHeldError);
    const rows = await query(server.url, 'SELECT 1 AS one').finally(server.stop);
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('after its server was killed, restarts it on the same socket with every commit', async () => {
    const server = await startPostgres({ dataDir: dataDir(), log });
    await query(server.url, 'CREATE TABLE kept AS SELECT 42 AS value');
    const before = server.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await vi.waitUntil(() => server.pid !== undefined && server.pid !== before);
    const rows = await vi.waitFor(() => query(server.url, 'SELECT value FROM kept'), {
      interval: 100,
    });
    await server.stop();
    expect(rows).toEqual([{ value: 42 }]);
  });

  it('with a pid file that names another program, starts', async () => {
    const first = await startPostgres({ dataDir: dataDir(), log });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS value');
    await first.stop();
    writeFileSync(join(dataDir(), 'postmaster.pid'), `${process.pid}\n${dataDir()}\n1\n5432\n\n\n\nready\n`);
    const second = await startPostgres({ dataDir: dataDir(), log });
    const rows = await query(second.url, 'SELECT value FROM kept').finally(second.stop);
    expect(rows).toEqual([{ value: 42 }]);
  });

  it('with a lost password file, makes a new one and opens the same data', async () => {
    const first = await startPostgres({ dataDir: dataDir(), log });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS value');
    await first.stop();
    rmSync(`${dataDir()}.password`);
    const second = await startPostgres({ dataDir: dataDir(), log });
    const rows = await query(second.url, 'SELECT value FROM kept').finally(second.stop);
    expect(rows).toEqual([{ value: 42 }]);
  });

  it('after a first start that was cut off, starts', async () => {
    const server = await startPostgres({ dataDir: dataDir(), log });
    await server.stop();
    rmSync(dataDir(), { recursive: true });
    writeFileSync(`${dataDir()}.new`, 'half a cluster');
    const next = await startPostgres({ dataDir: dataDir(), log });
    const rows = await query(next.url, 'SELECT 1 AS one').finally(next.stop);
    expect(rows).toEqual([{ one: 1 }]);
  });
});

describe('startNats', () => {
  it('after a start, has its password in a file for its owner only and on no command line', async () => {
    const server = await startNats({ storeDir: join(folder, 'nats'), log });
    try {
      expect(await pingNats(server.url)).toBe('PONG');
      const password = readFileSync(join(folder, 'nats.password'), 'utf8').trim();
      expect(new URL(server.url).password).toBe(password);
      expect(password).toMatch(/^[0-9a-f]{64}$/);
      for (const name of ['nats.password', 'nats.conf'])
        expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      if (process.platform !== 'linux') return;
      const commandLine = readFileSync(`/proc/${server.pid}/cmdline`, 'utf8');
      expect(commandLine).toContain('nats-server');
      expect(commandLine).not.toContain(password);
    } finally {
      await server.stop();
    }
  });

  it.each(['', 'birdhub:guessed@'])('with a client that comes with "%s", refuses it', async (credentials) => {
    const server = await startNats({ storeDir: join(folder, 'nats'), log });
    try {
      const response = await pingNats(`nats://${credentials}127.0.0.1:${server.port}`);
      expect(response).toBe("-ERR 'Authorization Violation'");
    } finally {
      await server.stop();
    }
  });

  it('after an earlier start, keeps the password', async () => {
    const first = await startNats({ storeDir: join(folder, 'nats'), log });
    await first.stop();
    const second = await startNats({ storeDir: join(folder, 'nats'), log });
    await second.stop();
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  it('after its server was killed, restarts it on the same port', async () => {
    const server = await startNats({ storeDir: join(folder, 'nats'), log });
    const before = server.pid ?? 0;
    process.kill(before, 'SIGKILL');
    await vi.waitUntil(() => server.pid !== undefined && server.pid !== before);
    await expect(startNats({ storeDir: join(folder, 'nats'), log })).rejects.toThrow(LockHeldError);
    await server.stop();
    expect(server.pid).toBeUndefined();
  });
});
