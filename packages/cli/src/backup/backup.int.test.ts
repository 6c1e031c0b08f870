import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { secretsConfigOf } from '@birdhub/launcher/options';
import { openConnection } from '@birdhub/shared/db';
import { secretKeys } from '@birdhub/shared/secrets';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sealSecretsIn } from '../hub-database.js';
import { addSource, post, readSecret, readSource, setSecret } from '../testing/fill-hub.js';
import { createStoredHub, noSignal, type StoredHub } from '../testing/stored-hub.js';
import { openBackup } from './restore-backup.js';

const hubs: StoredHub[] = [];
let here: StoredHub;
let file: string;

beforeEach(async () => {
  here = await createHub();
  file = join(here.folder, 'hub.backup');
});
afterEach(async () => {
  for (const hub of hubs.splice(0)) await hub.drop();
});

async function createHub(env?: NodeJS.ProcessEnv): Promise<StoredHub> {
  const hub = await createStoredHub(env);
  hubs.push(hub);
  return hub;
}

describe('makeBackup and restoreHub', () => {
  it('a restore on the same machine, brings back every row and key unchanged', async () => {
    await post(here, (posted) => posted === 40);
    await setSecret(here, 'key of eBird');
    const before = await here.readTables();
    const manifest = await here.backUp(file);
    expect(manifest.tables.find(({ name }) => name === 'video')?.rows).toBe(40);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    await here.query(
      `DELETE FROM detection; UPDATE species SET name = name || '?'; UPDATE setting SET value = '{}'`,
    );
    await mkdir(join(here.folder, 'nats/jetstream'), { recursive: true });
    const keys = secretKeys(secretsConfigOf(here.options)).read();
    const restored = await here.restore(file);

    expect(await here.readTables()).toEqual(before);
    expect(secretKeys(secretsConfigOf(here.options)).read()).toEqual(keys);
    expect(restored).toMatchObject({ migrated: [], unknownTables: [], lostSecrets: [], hasSafetyCopy: true });
    expect(existsSync(join(here.folder, 'nats'))).toBe(false);
    expect(existsSync(restored.safetyCopy)).toBe(true);
  });

  it('a restore, keeps the privileges of the schema and those of new tables', async () => {
    await here.query(
      `GRANT CREATE ON SCHEMA public TO PUBLIC; ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO PUBLIC`,
    );
    const privileges = `SELECT nspowner, nspacl::text, defaclacl::text FROM pg_namespace
      LEFT JOIN pg_default_acl ON defaclnamespace = pg_namespace.oid WHERE nspname = 'public'`;
    const before = await here.query(privileges);
    await here.backUp(file);
    await here.restore(file);
    expect(await here.query(privileges)).toEqual(before);
    const canRead = `SELECT has_table_privilege('public', 'video', 'SELECT') AS "canRead"`;
    expect(await here.query(canRead)).toEqual([{ canRead: true }]);
  });

  it('a restore into a schema with other objects, deletes them', async () => {
    await here.backUp(file);
    await here.query(`
      CREATE TYPE mood AS ENUM ('good', 'bad'); CREATE TYPE pair AS (one int, other mood); CREATE DOMAIN portion AS real;
      CREATE TABLE moods (mood mood, pair pair, portion portion); CREATE VIEW all_moods AS SELECT * FROM moods;
      CREATE MATERIALIZED VIEW stored_moods AS SELECT * FROM moods; CREATE SEQUENCE numbers;
      CREATE FUNCTION same(mood) RETURNS mood LANGUAGE sql RETURN $1;
      CREATE PROCEDURE nothing() LANGUAGE sql AS 'SELECT 1'; CREATE AGGREGATE total (int) (sfunc = int4pl, stype = int);
      CREATE TABLE days (day date) PARTITION BY RANGE (day);
      CREATE TABLE days_2026 PARTITION OF days FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')`);
    await here.restore(file);
    const others = `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname ~ '^(moods|days|all|stored|numbers)'
      UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname IN ('same', 'nothing', 'total')
      UNION ALL SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typname IN ('mood', 'pair', 'portion')`;
    expect(await here.query(others)).toEqual([]);
  });

  it('a restored hub, accepts recordings, enforces its constraints and reuses no id', async () => {
    const lastId = async () => Number((await here.query('SELECT max(id)::int AS id FROM video'))[0]?.['id']);
    await post(here, (posted) => posted === 3);
    const kept = await lastId();
    await here.backUp(file);
    const later = await post(here, (posted) => posted === 9);
    const last = await lastId();
    await here.restore(file);
    await post(here, (posted) => posted === later);
    const [first] = await here.query(`SELECT min(id)::int AS id FROM video WHERE id > ${kept}`);
    expect(Number(first?.['id'])).toBeGreaterThan(last);
    await expect(here.query('INSERT INTO detection_track VALUES (0, $1)', ['[]'])).rejects.toThrow(
      'foreign key',
    );
    const copyVisit = `INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
      SELECT species_id, start_time, end_time, 1, 1, 1 FROM species_visit LIMIT 1`;
    await expect(here.query(copyVisit)).rejects.toThrow('closer than the gap');
  });

  it('a restore on a new machine, brings back everything except sessions and unposted uploads, and seals secrets with its own key', async () => {
    await post(here, (posted) => posted === 5);
    await setSecret(here, 'key of eBird');
    const secrets = { password: 'pa55word', mqttUrl: 'mqtt://hub:br0ker@nas:1883' };
    await addSource(here, secrets);
    await here.query(`INSERT INTO session (token_hash, role) VALUES ('\\x01', 'admin')`);
    await here.query(`INSERT INTO uploaded_file (path, bytes, modified_at) VALUES ('later.mp4', 1, now())`);
    const {
      session: _,
      uploaded_file: ____,
      setting: __,
      source: sealed,
      ...before
    } = await here.readTables();
    await here.backUp(file);
    const there = await createHub();
    await there.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');

    const restored = await there.restore(file);

    const { session, uploaded_file, setting: ___, source: resealed, ...after } = await there.readTables();
    expect(after).toEqual(before);
    expect(resealed).not.toEqual(sealed);
    expect(await readSource(there)).toEqual({ name: 'Garden', cursor: { from: 7 }, secrets });
    expect([session, uploaded_file]).toEqual(['empty', 'empty']);
    expect(restored).toMatchObject({ hasSafetyCopy: false, lostSecrets: [] });
    expect(await readSecret(there)).toBe('key of eBird');
    const [theirs, ours] = [here, there].map(({ options }) => secretKeys(secretsConfigOf(options)).read());
    expect(ours).toHaveLength(1);
    expect(ours).not.toEqual(theirs);
  });

  it('a restore into a hub with its key in the environment, reads secrets sealed with a key file', async () => {
    await setSecret(here, 'key of eBird');
    await here.backUp(file);
    const there = await createHub({ SECRETS_KEY: 'given' });
    await there.restore(file);
    expect(await readSecret(there)).toBe('key of eBird');
    expect(existsSync(join(there.folder, 'settings.key'))).toBe(false);
  });

  it('a secret whose key was lost before the backup, is named by the restore', async () => {
    await setSecret(here, 'key of eBird');
    await addSource(here, { password: 'pa55word', mqttUrl: 'mqtt://nas' });
    await writeFile(join(here.folder, 'settings.key'), 'another\n');
    await here.backUp(file);
    const there = await createHub();
    const { lostSecrets } = await there.restore(file);
    expect(lostSecrets).toEqual(['secrets.ebird_api_key', 'sources.Garden']);
  });

  it('a backup whose keys are rotated before its snapshot, has the keys of its secrets', async () => {
    await setSecret(here, 'key of eBird');
    const blocker = await openConnection({ url: here.url, name: 'test' });
    await blocker.query('BEGIN; LOCK TABLE video');
    const backup = here.backUp(file);
    const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'video'::regclass`;
    await vi.waitFor(async () => expect(await here.query(waiting)).toHaveLength(1));
    await sealSecretsIn(here.url, secretsConfigOf(here.options));
    await blocker.end();
    await backup;
    const there = await createHub();
    expect((await there.restore(file)).lostSecrets).toEqual([]);
    expect(await readSecret(there)).toBe('key of eBird');
  });

  it('a backup during writes, is a snapshot of one instant', async () => {
    await post(here, (posted) => posted === 20);
    let isDone = false;
    const writing = post(here, () => isDone);
    const manifest = await here.backUp(file);
    isDone = true;
    await writing;
    await here.restore(file);
    const [counts] = await here.query(
      `SELECT (SELECT count(*) FROM video)::int AS videos, (SELECT count(*) FROM detection)::int AS detections,
        (SELECT sum(detection_count) FROM species_visit)::int AS of_visits,
        (SELECT sum(detections) FROM visit_day)::int AS of_days,
        (SELECT sum(value) FROM hub_counter WHERE name = 'videos')::int AS counted`,
    );
    const videos = manifest.tables.find(({ name }) => name === 'video')?.rows ?? 0;
    expect(videos).toBeGreaterThan(19);
    const detections = 3 * videos;
    expect(counts).toEqual({
      videos,
      detections,
      of_visits: detections,
      of_days: detections,
      counted: videos,
    });
  });

  it('a safety copy, brings back what the restore replaced', async () => {
    await here.backUp(file);
    await post(here, (posted) => posted === 4);
    const before = await here.readTables();
    const { safetyCopy } = await here.restore(file);
    expect(await here.query('SELECT FROM video')).toEqual([]);
    await here.restore(safetyCopy);
    expect(await here.readTables()).toEqual(before);
  });

  it('with one recording deleted and one changed since the backup, reports two as missing', async () => {
    const folder = here.options.recordingsDir;
    await mkdir(join(folder, '2026/05'), { recursive: true });
    for (const name of ['2026/05/a.mp4', '2026/05/b.mp4', 'c.mp4']) await writeFile(join(folder, name), name);
    expect((await here.backUp(file)).recordings.files).toBe(3);
    const list = gunzipSync(await readFile(file)).toString('latin1');
    expect(list).toContain('{"path":"2026/05/a.mp4","size":13,"mtime":"20');
    await writeFile(join(folder, 'c.mp4'), 'longer than before');
    await rm(join(folder, '2026/05/a.mp4'));
    const { backup } = await openBackup(here.options, { file, passphrase: undefined }, noSignal);
    expect(backup.missingRecordings).toBe(2);
  });

  it('a backup file, holds no secret in clear, and no key in clear if it has a passphrase', async () => {
    await setSecret(here, 'key of eBird');
    await here.query(`INSERT INTO session (token_hash, role) VALUES ('\\xdeadbeef', 'admin')`);
    const [key = ''] = secretKeys(secretsConfigOf(here.options)).read();
    await here.backUp(file, 'four words of mine');
    const bytes = Buffer.concat([gunzipSync(await readFile(file)), await readFile(file)]).toString('latin1');
    expect(bytes).toContain('sealed:1:');
    for (const secret of ['key of eBird', key, 'four words', 'deadbeef']) expect(bytes).not.toContain(secret);
    await expect(here.restore(file)).rejects.toThrow('needs its passphrase');
    await expect(here.restore(file, 'four words of yours')).rejects.toThrow('not the passphrase');
    await here.restore(file, 'four words of mine');
    expect(await readSecret(here)).toBe('key of eBird');
  });
});
