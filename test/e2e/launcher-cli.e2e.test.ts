import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '@birdhub/cli/cli';
import { backUp, restore } from '@birdhub/cli/commands/backup';
import { resetPasswords, rotateSecrets } from '@birdhub/cli/commands/maintenance';
import { importChecklist, tidySpecies } from '@birdhub/cli/commands/species';
import { showStatus } from '@birdhub/cli/commands/status';
import { stopHub } from '@birdhub/cli/commands/stop';
import { createLog } from '@birdhub/launcher/log';
import { type Options, readOptions } from '@birdhub/launcher/options';
import { startPostgres } from '@birdhub/launcher/postgres-server';
import { openDatabase } from '@birdhub/shared/db';
import { createLog as createServiceLog } from '@birdhub/shared/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyDataTemplate } from '../support/copy-data-template.js';
import { launch, stopLaunchers, waitUntilReady } from './fixtures/launcher-process.js';

let folder: string;
let options: Options;
let output: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'birdhub-launcher-'));
  options = readOptions({ DATA_DIR: folder }, '/');
  output = [];
  const print = (text: string) => void output.push(text);
  vi.spyOn(console, 'log').mockImplementation(print);
  vi.spyOn(console, 'error').mockImplementation(print);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await stopLaunchers();
  rmSync(folder, { recursive: true });
});

/** Runs the statements on the database of the stopped hub and returns the rows of the last. */
async function onDatabase(...statements: string[]): Promise<Record<string, unknown>[]> {
  const log = createLog('test', () => undefined);
  await copyDataTemplate(folder);
  const server = await startPostgres({ dataDir: join(folder, 'postgres'), log });
  const silent = createServiceLog('test', 'silent');
  const database = openDatabase({ url: server.url, max: 1, name: 'test', log: silent });
  let rows: Record<string, unknown>[] = [];
  for (const statement of statements) rows = (await database.pool.query(statement)).rows;
  await database.close();
  await server.stop();
  return rows;
}

describe('runCli', () => {
  it.each([
    [[]],
    [['nonsense']],
    [['toString']],
    [['stop', 'now']],
    [['backup']],
    [['backup', 'a', 'b']],
    [['restore', '--hard', 'a']],
    [['restore', '--force', 'a']],
    [['import-birdlense', 'a']],
    [['import-birdlense', 'a', 'b', 'c']],
  ])('the arguments %j, show the usage', async (args) => {
    expect(await runCli(args)).toBe(2);
    expect(output.join()).toContain('Usage: npm run hub --');
  });
});

describe('hub status and stop', () => {
  it('a running hub, is shown with each process, stopped, and shown as stopped', async () => {
    const launcher = await launch(folder);
    const address = await waitUntilReady(launcher);
    expect(await showStatus(options)).toBe(0);
    expect(output[0]).toContain(
      `Birdhub is running at ${address} (process ${launcher.process.pid}, ready since `,
    );
    const lines = output.slice(1).map((line) => line.trim().split(/\s+/));
    expect(lines.map(([name, , , condition]) => `${name} ${condition}`).sort()).toEqual([
      'gateway ready',
      'ingest ready',
      'nats up',
      'postgres up',
      'query ready',
      'reports ready',
      'system ready',
    ]);
    const metrics = lines.flat().filter((word) => word.endsWith('/metrics'));
    expect(metrics).toHaveLength(5);
    for (const url of metrics) expect((await fetch(url)).status).toBe(200);
    const ended = once(launcher.process, 'exit');
    expect(await stopHub(options)).toBe(0);
    await ended;
    expect(await showStatus(options)).toBe(3);
  });

  it('a hub whose launcher was killed, is ended by stop', async () => {
    const launcher = await launch(folder);
    await waitUntilReady(launcher);
    launcher.process.kill('SIGKILL');
    await once(launcher.process, 'exit');
    expect(await stopHub(options)).toBe(0);
    // This would fail, or take over a server, if one still ran.
    expect(await onDatabase('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('hub import-checklist and tidy-species', () => {
  const list = [
    'scientific_name,english_name,english_name_clements,cornell_code,order,family,family_english',
    'Testus primus,First Tester,Prime Tester,testpr1,Passeriformes,Testidae,Testers',
  ].join('\n');
  const listTesters = `SELECT name, ebird_code, (SELECT other.name FROM species other WHERE other.id = species.merged_into) AS target
    FROM species WHERE name IN ('Testus primus', 'Prime Tester') ORDER BY name`;

  it('a bird under two names of a checklist, is listed, merged, and split again', async () => {
    await onDatabase(`WITH added AS (INSERT INTO species (name) VALUES ('Testus primus'), ('Prime Tester') RETURNING id, name)
      INSERT INTO species_alias (key, species_id) SELECT lower(name), id FROM added`);
    const before = await onDatabase(listTesters);
    const file = join(folder, 'list.csv');
    writeFileSync(file, `${list}\nTestus,Second Tester,,,,,`);
    await expect(importChecklist(options, [file])).rejects.toThrow(
      /list\.csv: line 3: .*Nothing was changed/,
    );
    await expect(importChecklist(options, [join(folder, 'none.csv')])).rejects.toThrow('There is no file');
    writeFileSync(file, list);
    expect(await importChecklist(options, [file])).toBe(0);
    expect(output.join('\n')).toMatch(
      /AviList.*CC BY 4\.0: 1 species\.\n2 species of this hub can be merged or completed/,
    );
    expect(await importChecklist(options, [file])).toBe(0);
    expect(output.at(-2)).toContain('1 species, as before.');

    expect(await tidySpecies(options, [])).toBe(0);
    expect(output.join('\n')).toMatch(/Prime Tester \(\d+\) is Testus primus/);
    expect(output.at(-1)).toContain('Nothing was changed; --apply makes these changes.');
    expect(await onDatabase(listTesters)).toEqual(before);

    expect(await tidySpecies(options, ['--apply'])).toBe(0);
    expect(output.at(-2)).toContain('Merged: 1 (0 detections), completed: 1, skipped: 0, remaining: 0.');
    expect(await onDatabase(listTesters)).toEqual([
      { name: 'Prime Tester', ebird_code: null, target: 'Testus primus' },
      { name: 'Testus primus', ebird_code: 'testpr1', target: null },
    ]);

    expect(await tidySpecies(options, ['--undo'])).toBe(0);
    expect(output.at(-1)).toBe('Reverted: 2. Kept because of later changes: 0.');
    expect(await onDatabase(listTesters)).toEqual(before);
  });
});

describe('hub reset-passwords', () => {
  const setPasswords = `UPDATE setting SET value =
    '{"general": {"settings_password": "a", "contributor_password": "b", "app_name": "Feeder"}}' WHERE key = 'hub'`;

  it('a stopped hub, loses passwords and sessions and keeps its other settings', async () => {
    const session = 'CREATE TABLE IF NOT EXISTS session (id bytea)';
    const [before] = await onDatabase(session, setPasswords, `SELECT version FROM setting WHERE key = 'hub'`);
    expect(await resetPasswords(options)).toBe(0);
    const read = `SELECT value, version, (SELECT count(*) FROM session) AS sessions FROM setting WHERE key = 'hub'`;
    expect(await onDatabase(read)).toEqual([
      { value: { general: { app_name: 'Feeder' } }, version: Number(before?.['version']) + 1, sessions: 0 },
    ]);
  });

  it('a running hub, takes the reset without a stop', async () => {
    await onDatabase(setPasswords);
    const launcher = await launch(folder);
    await waitUntilReady(launcher);
    expect(await resetPasswords(options)).toBe(0);
    expect(launcher.process.exitCode).toBeNull();
    await stopHub(options);
    expect(await onDatabase(`SELECT value FROM setting WHERE key = 'hub'`)).toEqual([
      { value: { general: { app_name: 'Feeder' } } },
    ]);
  });
});

describe('hub rotate-secrets', () => {
  const setSecret = `UPDATE setting SET value = '{"mqtt": {"password": "hunter2"}}' WHERE key = 'hub'`;
  const readSecret = `SELECT value #>> '{mqtt,password}' AS password FROM setting WHERE key = 'hub'`;
  const keyFile = () => readFileSync(join(folder, 'settings.key'), 'utf8');

  it('a stopped hub, has its secrets sealed with a new key each time', async () => {
    await onDatabase(setSecret);
    expect(await rotateSecrets(options)).toBe(0);
    const [first, [before]] = [keyFile(), await onDatabase(readSecret)];
    expect(await rotateSecrets(options)).toBe(0);
    const [second, [after]] = [keyFile(), await onDatabase(readSecret)];
    expect(output).toEqual(Array(2).fill('Secrets encrypted with a new key: 1.'));
    for (const row of [before, after]) expect(row?.['password']).toMatch(/^sealed:1:/);
    expect([second, after]).not.toEqual([first, before]);
    expect(second.trim().split('\n')).toHaveLength(1);
  });

  it('a key of the environment, seals the secrets and leaves no file', async () => {
    await onDatabase(setSecret);
    expect(await rotateSecrets(readOptions({ DATA_DIR: folder, SECRETS_KEY: 'new,old' }, '/'))).toBe(0);
    expect(output).toEqual(['Secrets encrypted with the first key of SECRETS_KEY: 1.']);
    expect(existsSync(join(folder, 'settings.key'))).toBe(false);
  });
});

describe('hub backup and restore', () => {
  const namesOf = () => onDatabase('SELECT name FROM bird_food ORDER BY 1');

  it('a running hub, is backed up, and takes a restore only when stopped', async () => {
    await onDatabase(`INSERT INTO bird_food (name) VALUES ('Acorns of the day')`);
    const before = await namesOf();
    const file = join(folder, 'hub.backup');
    const launcher = await launch(folder);
    await waitUntilReady(launcher);
    expect(await backUp(options, [file])).toBe(0);
    await expect(backUp(options, [file])).rejects.toThrow('--force replaces it');
    expect(await backUp(options, ['--force', file])).toBe(0);
    await expect(restore(options, [file])).rejects.toThrow('Birdhub is running');
    await stopHub(options);
    await onDatabase('DELETE FROM bird_food');
    expect(await restore(options, [file])).toBe(0);
    expect(await namesOf()).toEqual(before);
    expect(output.join('\n')).toMatch(/The replaced data is in .*before-restore-.*\.backup/);
  });

  it('a missing hub and a missing folder, are named', async () => {
    await expect(backUp(options, [join(folder, 'x')])).rejects.toThrow('There is no hub in');
    await onDatabase('SELECT');
    await expect(backUp(options, [join(folder, 'none/x')])).rejects.toThrow('its folder does not exist');
  });
});
