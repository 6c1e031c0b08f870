import { copyFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forge, refuseToRestore } from '../testing/refused-restore.js';
import { createStoredHub, type StoredHub } from '../testing/stored-hub.js';

let here: StoredHub;
let made: string;
let file: string;
let before: Record<string, string>;

beforeAll(async () => {
  here = await createStoredHub();
  made = join(here.folder, 'made.backup');
  file = join(here.folder, 'other.backup');
  await here.query(`INSERT INTO video (video_path, start_time, end_time, content_hash)
    SELECT n || md5(n::text), now(), now(), '' FROM generate_series(1, 3000) n`);
  await here.backUp(made);
  await here.query('UPDATE video SET favorite = true');
  before = await here.readTables();
});
afterEach(async () => expect(await here.readTables()).toEqual(before));
afterAll(() => here.drop());

describe('restoreHub, an invalid file', () => {
  it.each([0.01, 0.5, 0.99])('truncated to %d of its length, is refused as damaged', async (part) => {
    await copyFile(made, file);
    await truncate(file, Math.floor((await stat(made)).size * part));
    expect(await refuseToRestore(here, file)).toContain('is damaged (');
  });

  it.each([0.02, 0.3, 0.6, 0.999])(
    'with a flipped bit at %d of its length, is refused as damaged',
    async (part) => {
      const bytes = await readFile(made);
      const place = Math.floor(bytes.length * part);
      bytes[place] = (bytes[place] ?? 0) ^ 0x10;
      await writeFile(file, bytes);
      expect(await refuseToRestore(here, file)).toContain('is damaged (');
    },
  );

  it.each([
    ['text', Buffer.from('no backup'), 'is not a backup of Birdhub'],
    ['nothing', Buffer.alloc(0), 'is damaged (unexpected end of file)'],
    ['another archive', gzipSync(Buffer.alloc(1024)), 'is not a backup of Birdhub'],
    ['compressed text', gzipSync(Buffer.alloc(2048, 'x')), 'is damaged (Invalid tar header'],
  ])('with %s as its content, is refused for that reason', async (_, content, sentence) => {
    await writeFile(file, content);
    expect(await refuseToRestore(here, file)).toContain(sentence);
  });

  it('a missing file or a folder, is refused for that reason', async () => {
    expect(await refuseToRestore(here, join(here.folder, 'none'))).toContain('There is no file');
    expect(await refuseToRestore(here, here.folder)).toContain('is a folder');
  });

  it.each([
    ['rows', 'data/video/', (text: string) => text.replace('\t', '\t.')],
    ['keys', 'settings-keys.json', () => '{"keys":["mine"]}'],
    [
      'recordings',
      'manifest.json',
      (text: string) => text.replace(/("files": )\d+,\s+"bytes": 0/, '$11, "bytes": 9'),
    ],
  ])('whose %s do not match the manifest, is refused', async (_, name, change) => {
    await forge(made, file, name, change);
    expect(await refuseToRestore(here, file)).toContain('its content does not match its manifest');
  });

  it.each(['backup.json', 'settings-keys.json', 'manifest.json'])(
    'whose %s is larger than any, is refused before it is read',
    async (name) => {
      await forge(made, file, name, (text) => text + ' '.repeat(16 * 1024 * 1024));
      expect(await refuseToRestore(here, file)).toMatch(/is damaged \(.* at most 16777216 are expected\)/);
    },
  );

  it.each([
    ['format', (text: string) => text.replace('"format": 1', '"format": 2')],
    [
      'migration',
      (text: string) => text.replace('"migrations": [', '"migrations": ["29990101000000_flying",'),
    ],
  ])('with an unknown %s, is refused as newer', async (_, change) => {
    await forge(made, file, 'backup.json', change);
    expect(await refuseToRestore(here, file)).toContain('was made by a newer Birdhub');
  });
});

describe('restoreHub, an intact file with invalid rows', () => {
  it('with a column that the migrations do not create, changes nothing', async () => {
    await forge(made, file, 'manifest.json', (text) => text.replace('"favorite"', '"favourite"'));
    await expect(here.restore(file)).rejects.toThrow('favourite');
  });

  it('with a row that violates a foreign key, changes nothing', async () => {
    const other = await createStoredHub();
    await other.query(`ALTER TABLE video DROP CONSTRAINT video_weather_id_fkey;
      INSERT INTO video (video_path, start_time, end_time, content_hash, weather_id) VALUES ('a', now(), now(), '', 9)`);
    await other.backUp(file);
    await expect(here.restore(file)).rejects.toThrow('video_weather_id_fkey');
    await other.drop();
  });

  it('without the visit rule, is refused and changes nothing', async () => {
    const other = await createStoredHub();
    await other.query('DELETE FROM visit_rule');
    await other.backUp(file);
    expect(await refuseToRestore(here, file)).toContain('the rule of the visits is missing');
    await other.drop();
  });
});
