import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChangeNotifier } from '@birdhub/shared/db';
import { createSecretBox, givenKeys, type KeyFile, keyFileIn } from '@birdhub/shared/secrets';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resealSecrets, rotateSecrets } from './rotate-secrets.js';
import { SettingsReader } from './settings-reader.js';
import { SettingsWriter } from './settings-writer.js';

const log = pino({ level: 'silent' });

describe('secret rotation', () => {
  let database: TestDatabase;
  let folder: string;
  let file: KeyFile;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'birdhub-keys-'));
    file = keyFileIn(folder);
    await database.pool.query(`UPDATE setting SET value = '{}', version = 1 WHERE key = 'hub'`);
    await change({ mqtt: { password: 'x' }, own: [{ token: 'y' }], general: { settings_password: 'p' } });
    return () => rmSync(folder, { recursive: true });
  });
  afterAll(() => database.drop());

  /** A newly started service, with its own copy of the key file in memory. */
  const startService = () => {
    const { pool } = database;
    const secrets = createSecretBox(keyFileIn(folder));
    const reader = new SettingsReader({ pool, timezone: 'UTC', log, secrets });
    const writer = new SettingsWriter({
      database,
      notifier: new ChangeNotifier(pool, log),
      secrets,
      timezone: 'UTC',
    });
    return { reader, writer };
  };
  const change = (settings: Record<string, unknown>) =>
    startService().writer.change(settings, { role: 'admin' });
  const secretsOf = async ({ reader }: ReturnType<typeof startService>) => {
    reader.forget();
    const { mqtt, ...others } = await reader.current();
    return [mqtt.password, (others as { own?: [{ token: string }] }).own?.[0].token];
  };
  const storedText = async () =>
    (await database.pool.query<{ text: string }>(`SELECT value::text AS text FROM setting WHERE key = 'hub'`))
      .rows[0]?.text ?? '';

  it('all secrets, are sealed with one new key and stay readable, also for running services', async () => {
    const [running, before, text] = [startService(), file.read(), await storedText()];
    await secretsOf(running);
    expect(await rotateSecrets(database.pool, file)).toEqual({ sealed: 2, lost: [] });
    const after = file.read();
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    expect(await storedText()).not.toBe(text);
    expect(await Promise.all([running, startService()].map(secretsOf))).toEqual([
      ['x', 'y'],
      ['x', 'y'],
    ]);
    expect((await running.writer.read()).version).toBe(2);
  });

  it('the credentials of sources, are sealed again, and those with a lost key are named', async () => {
    const { pool } = database;
    const given = { password: 'hunter22' };
    const sealed = createSecretBox(keyFileIn(folder)).seal(given);
    const stranger = createSecretBox(givenKeys('a key that this hub does not have')).seal(given);
    await pool.query(
      `INSERT INTO source (kind, name, credential) VALUES ('frigate', 'Garden', $1), ('frigate', 'Moved', $2)`,
      [sealed, stranger],
    );
    try {
      expect(await rotateSecrets(pool, file)).toEqual({ sealed: 3, lost: ['sources.Moved'] });
      const { rows } = await pool.query<{ credential: string }>(
        `SELECT credential FROM source WHERE name = 'Garden'`,
      );
      const [row] = rows;
      expect(row?.credential).not.toBe(sealed);
      expect(createSecretBox(keyFileIn(folder)).open(row?.credential ?? '')).toEqual(given);
    } finally {
      await pool.query('DELETE FROM source');
    }
  });

  it('the passwords in URLs, are sealed again', async () => {
    const feed = { esphome_url: 'http://me:hunter2@feeder' };
    await change({ feed });
    expect(await rotateSecrets(database.pool, file)).toEqual({ sealed: 3, lost: [] });
    expect(file.read()).toHaveLength(1);
    expect(await storedText()).not.toContain('hunter2');
    expect(await startService().reader.current()).toMatchObject({ feed });
  });

  it('a running service, seals with the new key', async () => {
    const running = startService();
    await running.writer.change({ mqtt: { password: 'before' } }, { role: 'admin' });
    await rotateSecrets(database.pool, file);
    await running.writer.change({ mqtt: { password: 'after' } }, { role: 'admin' });
    expect(await secretsOf(startService())).toEqual(['after', 'y']);
  });

  it('concurrent rotations, changes and reads, lose nothing, and the next rotation leaves one key', async () => {
    const running = startService();
    const failures: unknown[] = [];
    const work = Array.from({ length: 6 }, async (_, index) => {
      await rotateSecrets(database.pool, keyFileIn(folder));
      await running.writer.change({ secrets: { [`key_${index}`]: `value-${index}` } }, { role: 'admin' });
      const [password] = await secretsOf(startService());
      if (password !== 'x') failures.push(password);
    });
    await Promise.all(work);
    expect(failures).toEqual([]);
    await rotateSecrets(database.pool, file);
    expect(file.read()).toHaveLength(1);
    const { secrets } = await startService().reader.current();
    expect(secrets).toMatchObject(
      Object.fromEntries(work.map((_, index) => [`key_${index}`, `value-${index}`])),
    );
  });

  it('a secret with a lost key, is named and left as it is, the others are sealed again', async () => {
    const lost = createSecretBox(givenKeys('lost')).seal('z');
    await database.pool.query(
      `UPDATE setting SET value = value || jsonb_build_object('camera', jsonb_build_object('token', $1::text)) WHERE key = 'hub'`,
      [lost],
    );
    expect(await rotateSecrets(database.pool, file)).toEqual({ sealed: 2, lost: ['camera.token'] });
    expect(await storedText()).toContain(lost);
    expect(await secretsOf(startService())).toEqual(['x', 'y']);
  });

  it('with keys in the environment, seals with the first of them', async () => {
    await rotateSecrets(database.pool, file);
    const [old = ''] = file.read();
    expect(await resealSecrets(database.pool, givenKeys(`first,${old}`))).toEqual({ sealed: 2, lost: [] });
    const reader = new SettingsReader({
      pool: database.pool,
      timezone: 'UTC',
      log,
      secrets: createSecretBox(givenKeys('first')),
    });
    expect((await reader.current()).mqtt.password).toBe('x');
  });

  describe('killed', () => {
    const address = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

    /** Rotates in a child process that kills itself before or after a step. */
    async function rotateAndDie(step: string): Promise<void> {
      const program = `
        import pg from 'pg';
        import { keyFileIn } from ${address('../../../shared/dist/secrets/secret-keys.js')};
        import { rotateSecrets } from ${address('../../dist/settings/rotate-secrets.js')};
        const die = () => process.kill(process.pid, 'SIGKILL');
        const file = keyFileIn(${JSON.stringify(folder)});
        const deadly = {
          ...file,
          add() { if (step === 'before the new key') die(); file.add(); if (step === 'after the new key') die(); },
          retain(isUsed) { if (step === 'before the old key goes') die(); file.retain(isUsed); die(); },
        };
        const step = ${JSON.stringify(step)};
        await rotateSecrets(new pg.Pool({ connectionString: ${JSON.stringify(database.url)} }), deadly);`;
      const args = ['--input-type=module', '-e', program];
      const child = spawn('node', args, { stdio: ['ignore', 'ignore', 'inherit'] });
      const [, signal] = await once(child, 'exit');
      expect(signal).toBe('SIGKILL');
    }

    it.each(['before the new key', 'after the new key', 'before the old key goes', 'after the old key went'])(
      '%s, loses nothing, and the next rotation completes',
      async (step) => {
        const running = startService();
        await rotateAndDie(step);
        expect(await Promise.all([running, startService()].map(secretsOf))).toEqual([
          ['x', 'y'],
          ['x', 'y'],
        ]);
        await rotateSecrets(database.pool, file);
        expect(await Promise.all([running, startService()].map(secretsOf))).toEqual([
          ['x', 'y'],
          ['x', 'y'],
        ]);
        expect(file.read()).toHaveLength(1);
      },
    );
  });
});
