import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretBox, keyFileIn } from '@birdhub/shared/secrets';
import type { TestHub } from '@birdhub/testing/hub';
import { askBroker } from '@birdhub/tools/soak/watch/ask-broker';
import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { credentials, makeOldDataFolder, storedResponses, storedRows } from './fixtures/hub-0.1.0.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

/** The number of stored events when 0.1.0 was stopped. */
const lastSequence = 425;
/** Tables that only people and processors write to. */
const writtenByOthers = [
  'bird_food',
  'camera',
  'correction',
  'correction_detection',
  'deleted_video',
  'detection',
  'food_period',
  'push_subscription',
  'species_merge',
  'species_visit',
  'video',
];
/**
 * Fields that may differ: the state and addresses of media, as most files were not copied and the hub finds them missing;
 * figures relative to now; request ids.
 */
const mayDiffer = /\.(media|video_url|poster_url|spectrogram_url|image_url|detections_\d+[hd]|request_id)$/;
/** Wrong names in the catalogue of 0.1.0, and their corrections. */
const corrected: Readonly<Record<string, string>> = {
  'Eurasian Hoopoe': 'Common Hoopoe',
  'Coccothraustes vespertinus': 'Hesperiphona vespertina',
  'Dryobates villosus': 'Leuconotopicus villosus',
  'Dryobates albolarvatus': 'Leuconotopicus albolarvatus',
  'Sylviid Warblers': 'Sylviid Warblers and Allies',
};
/** The recording whose files were copied. */
const whole = '/api/ui/videos/36';

describe('a data folder of 0.1.0', () => {
  const folder = useDataFolder();
  const dataDir = join(folder.path, 'data');
  let hub: TestHub;

  beforeAll(async () => {
    await makeOldDataFolder(dataDir);
    hub = await startHubIn(folder, inOneProcess);
    await hub.waitUntilReady();
  });

  const get = (path: string, headers: Record<string, string> = { cookie: credentials.cookie }) =>
    fetch(`${hub.baseUrl}${path}`, { headers });

  /** Waits while a picture is being made, which is answered with 503. */
  const getWhenMade = (path: string) =>
    vi.waitUntil(
      async () => {
        const response = await get(path);
        return response.status !== 503 && response;
      },
      { interval: 500 },
    );

  async function query<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client({ connectionString: hub.databaseUrl });
    await client.connect();
    try {
      return (await client.query<T>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  it.each(Object.entries(storedResponses))(
    'for %s, returns all that it returned before',
    async (path, before) => {
      const response = await getWhenMade(path);
      expect(response.status).toBe(before.status);
      if (before.sha256 !== undefined) {
        expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
        return;
      }
      const lost = listLost(before.body, await response.json(), path);
      const mustStay = (place: string) => path === whole || !mayDiffer.test(place);
      expect(lost.filter(mustStay)).toEqual([]);
    },
  );

  it.each(writtenByOthers)('in the table %s, keeps every row', async (name) => {
    const { rows: before = [] } = storedRows.tables[name] ?? {};
    const rows = await query(`SELECT * FROM "${name}"`);
    expect(before.length).toBeGreaterThan(0);
    expect(rows).toHaveLength(before.length);
  });

  it('with an open session, keeps it open for its cookie only', async () => {
    const access = async (headers: Record<string, string>) =>
      (await get('/api/ui/settings/check-access', headers)).json();
    expect(await access({ cookie: credentials.cookie })).toEqual({ unlocked: true, role: 'admin' });
    expect(await access({})).toMatchObject({ unlocked: false });
  });

  it.each([
    [credentials.admin, 200],
    [credentials.contributor, 200],
    ['another one', 401],
  ])('with the password "%s", returns %i', async (password, status) => {
    const response = await fetch(`${hub.baseUrl}/api/ui/settings/verify-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    });
    expect(response.status).toBe(status);
  });

  it('with secrets in the settings, opens them by the key of the folder', async () => {
    const [row] = await query<{ value: Record<string, Record<string, string>> }>(
      `SELECT value FROM setting WHERE key = 'hub'`,
    );
    const box = createSecretBox(keyFileIn(dataDir));
    const open = (group: string, name: string) => box.open(row?.value[group]?.[name] ?? '');
    expect(open('secrets', 'ebird_api_key')).toBe(credentials.ebirdKey);
    expect(open('mqtt', 'password')).toBe(credentials.mqttPassword);
    expect(open('web_push', 'vapid_private_key')).toMatch(/^[\w-]{43}$/);
  });

  it('with notifications of every visit, keeps them as one rule for the browsers that subscribed', async () => {
    const read = async (path: string) => (await get(`/api/ui/${path}`)).json();
    expect(await read('alert-rules')).toMatchObject([
      { name: 'Every visit', enabled: true, when: 'any_visit', channels: [], cooldown_seconds: null },
    ]);
    expect(await read('notification-channels')).toMatchObject([
      { kind: 'web_push', enabled: true, recipients: 1, state: 'unused' },
    ]);
    const before = storedRows.tables['push_subscription']?.rows[0];
    const [after] = await query('SELECT endpoint, p256dh, auth FROM push_subscription');
    expect(before).toMatchObject({ ...after });
  });

  it('with files of a recording, serves them unchanged', async () => {
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    const fetched = async (path: string) => sum(Buffer.from(await (await get(path)).arrayBuffer()));
    const place = '2026/11/21/071953_balcony/spectrogram_100.jpg';
    expect(await fetched(`/data/recordings/${place}`)).toBe(
      sum(readFileSync(join(hub.recordingsDir, place))),
    );
    const film = place.replace('spectrogram_100.jpg', 'video.mp4');
    expect(await fetched(`${whole}/stream`)).toBe(sum(readFileSync(join(hub.recordingsDir, film))));
    expect(await fetched(`${whole}/poster`)).toBe(
      sum(readFileSync(join(dataDir, 'derived/posters/0/36/poster.jpg'))),
    );
  });

  it('with the store of the broker, continues with its events and consumers, behind a password', async () => {
    const { lastSequence: now, waiting } = await askBroker(hub.natsUrl);
    expect(now).toBeGreaterThanOrEqual(lastSequence);
    expect(Object.keys(waiting)).toEqual(expect.arrayContaining(['system-push', 'system-push-notices']));
    expect(statSync(join(dataDir, 'nats.password')).mode & 0o777).toBe(0o600);
    const { host } = new URL(hub.natsUrl);
    await expect(askBroker(`nats://${host}`)).rejects.toThrow(/Authorization Violation/);
  });

  it('with a new recording, stores it after the former ones', async () => {
    const [before] = await query<{ id: number }>('SELECT max(id)::int AS id FROM video');
    const response = await fetch(`${hub.baseUrl}/api/processor/videos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        processor_version: 'after the upgrade',
        start_time: '2026-11-23T08:00:00Z',
        end_time: '2026-11-23T08:00:10Z',
        video_path: '2026/11/23/080000_garden/video.mp4',
        camera_id: 'garden',
        species: [
          { species_name: 'Great Tit', confidence: 0.9, start_time: 0, end_time: 5, source: 'video' },
        ],
      }),
    });
    expect(response.status).toBe(201);
    const [after] = await query<{ id: number }>('SELECT max(id)::int AS id FROM video');
    expect(after?.id).toBeGreaterThan(before?.id ?? 0);
    const day = await (await get('/api/ui/timeline?date=2026-11-23')).json();
    expect(day).toHaveLength(1);
  });
});

/** Whether a value is the former one, given the forms of paths and addresses of files since 0.1.1. */
function isStill(before: unknown, now: unknown): boolean {
  if (typeof before !== 'string' || typeof now !== 'string') return Object.is(before, now);
  const [address] = now.split('?v=');
  if (corrected[before] === now) return true;
  return [now, `/${now}`, address].includes(before) || now === `data/recordings/${before}`;
}

/** Returns the places whose former value is missing or another one. */
function listLost(before: unknown, now: unknown, place: string): string[] {
  // What was unknown then may be known now.
  if (before === null) return [];
  if (typeof before !== 'object') return isStill(before, now) ? [] : [place];
  if (typeof now !== 'object' || now === null) return [place];
  if (Array.isArray(before)) return listLostItems(before, Array.isArray(now) ? now : [], place);
  const known = new Map(Object.entries(now));
  return Object.entries(before).flatMap(([key, value]) => listLost(value, known.get(key), `${place}.${key}`));
}

/** Items with an id may have new ones between them. */
function listLostItems(before: readonly unknown[], now: readonly unknown[], place: string): string[] {
  const idOf = (item: unknown) => (item as { id?: unknown } | null)?.id;
  return before.flatMap((item, index) => {
    const id = idOf(item);
    const found = id === undefined ? now[index] : now.find((one) => idOf(one) === id);
    return listLost(item, found, `${place}[${id ?? index}]`);
  });
}
