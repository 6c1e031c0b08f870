import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findMosquitto, type Mosquitto, startMosquitto } from '../mosquitto.js';
import { type Frigate, type FrigateStart, startFrigate } from './frigate.js';

const base = Date.UTC(2026, 4, 1, 8);
const now = base + 3_600_000;
let frigate: Frigate;

afterEach(() => frigate.stop());

async function start(given: FrigateStart = {}): Promise<void> {
  frigate = await startFrigate({ now: () => now, ...given });
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${frigate.url}/api/${path}`, { headers });

async function read<T = Record<string, unknown>[]>(path: string): Promise<T> {
  const response = await get(path);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

const idsOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => id);
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${frigate.url}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('events of the Frigate stand-in', () => {
  it('read page by page with an exclusive after, are complete, oldest first', async () => {
    await start();
    const birds = [0, 1_000, 1_250, 1_500, 9_000].map((offset) =>
      frigate.bird({ start: base + offset, end: base + offset + 5_000 }),
    );
    frigate.bird({ label: 'cat', start: base + 10_000, end: base + 11_000 });
    const seen: unknown[] = [];
    let after = base / 1000 - 1;
    for (;;) {
      const page = await read(`events?labels=bird&sort=date_asc&limit=2&after=${after}&include_thumbnails=0`);
      if (page.length === 0) break;
      seen.push(...idsOf(page));
      after = Number(page.at(-1)?.['start_time']);
    }
    expect(seen).toEqual(birds.map(({ id }) => id));
  });

  it('without a sort, are newest first; with a filter, only those that match', async () => {
    await start({ cameras: ['birdcam', 'pond'] });
    const first = frigate.bird({ start: base, end: base + 1_000, name: 'Great Tit' });
    const second = frigate.bird({ start: base + 60_000, camera: 'pond', topScore: 0.5, hasClip: false });
    expect(idsOf(await read('events'))).toEqual([second.id, first.id]);
    for (const [query, expected] of [
      ['in_progress=0', first.id],
      ['in_progress=1', second.id],
      ['has_clip=1', first.id],
      ['has_clip=0', second.id],
      ['cameras=pond,shed', second.id],
      ['sub_labels=Great%20Tit', first.id],
      ['sub_labels=None', second.id],
      ['min_score=0.6', first.id],
      [`before=${base / 1000 + 1}`, first.id],
    ]) {
      expect(idsOf(await read(`events?${query}`)), query).toEqual([expected]);
    }
    expect((await get('events?after=yesterday')).status).toBe(422);
    expect(idsOf(await read(`event_ids?ids=${first.id},nothing`))).toEqual([first.id]);
  });

  it('a late name, changes the row and the review segment, with the score in a separate field', async () => {
    await start();
    const bird = frigate.bird({ start: base, end: base + 8_000, box: [0.4, 0.3, 0.1, 0.2] });
    expect(await read('events')).toMatchObject([{ sub_label: null, data: { box: [0.4, 0.3, 0.1, 0.2] } }]);
    bird.nameIt('Great Tit', 0.97);
    expect(await read(`events/${bird.id}`)).toMatchObject({
      sub_label: 'Great Tit',
      data: { sub_label_score: 0.97 },
    });
    expect(await read(`review/${bird.review}`)).toMatchObject({
      data: { detections: [bird.id], objects: ['bird-verified'], sub_labels: ['Great Tit'] },
    });
    bird.nameIt('Blue Tit', null);
    const { data } = await read<{ data: object }>(`events/${bird.id}`);
    expect(data).not.toHaveProperty('sub_label_score');
  });

  it('an id that is only on MQTT and an expired one, return 404', async () => {
    await start();
    const [never, expired] = [frigate.bird({ isOnlyOnMqtt: true }), frigate.bird()];
    expired.expire();
    for (const { id } of [never, expired]) expect((await get(`events/${id}`)).status).toBe(404);
    expect(await read('events')).toEqual([]);
  });

  it.each([
    ['0.16.2', false],
    ['0.17.2', true],
  ])('of version %s, have the time of their snapshot: %s', async (version, tells) => {
    await start({ version });
    frigate.bird();
    expect(await (await get('version')).text()).toMatch(version);
    const [event] = await read<{ data: object }[]>('events');
    expect('snapshot_frame_time' in (event?.data ?? {})).toBe(tells);
  });

  it.each([['endless'], ['same']] as const)('with %s paging, never end', async (paging) => {
    await start({ paging });
    for (let index = 0; index < 5; index += 1) frigate.bird({ start: base + index, end: base + index + 1 });
    let after = 0;
    for (let page = 0; page < 10; page += 1) {
      const rows = await read(`events?sort=date_asc&limit=3&after=${after}`);
      expect(rows).toHaveLength(3);
      after = Number(rows.at(-1)?.['start_time']);
    }
  });
});

describe('review segments of the Frigate stand-in', () => {
  it('of two simultaneous birds, are one; of a later bird, another', async () => {
    await start();
    const first = frigate.bird({ start: base });
    const second = frigate.bird({ start: base + 2_000 });
    expect(second.review).toBe(first.review);
    first.end(base + 4_000);
    expect(frigate.listReviews()).toMatchObject([{ end_time: null }]);
    second.end(base + 9_000);
    frigate.bird({ start: base + 60_000, end: base + 61_000 });
    expect(frigate.listReviews()).toMatchObject([
      { start_time: base / 1000, end_time: base / 1000 + 9, data: { detections: [first.id, second.id] } },
      { start_time: base / 1000 + 60 },
    ]);
  });

  it.each(['0.16.2', '0.17.2'])(
    'of version %s, are newest first, and by default unreviewed and of the last day',
    async (version) => {
      await start({ version });
      const birds = [-100_000_000, 0, 60_000, 120_000].map((offset) =>
        frigate.bird({ start: base + offset, end: base + offset + 5_000 }),
      );
      frigate.markReviewed(birds[1]?.review ?? '');
      const [old, seen, middle, last] = birds.map(({ review }) => review);
      expect(idsOf(await read('review'))).toEqual([last, middle]);
      expect(idsOf(await read('review?reviewed=2&after=1&limit=2'))).toEqual([last, middle]);
      expect(await read('review?labels=cat&after=1')).toEqual([]);
      const isOld = version.startsWith('0.16');
      const seenToo = isOld ? [last, middle, seen, old] : [seen];
      expect(idsOf(await read('review?reviewed=1&after=1'))).toEqual(seenToo);
      // A segment in progress at that time counts since 0.17.
      const until = `before=${base / 1000 + 63}&reviewed=2&after=1`;
      expect(idsOf(await read(`review?${until}`))).toEqual(isOld ? [seen, old] : [middle, seen, old]);
      frigate.expireReview(String(middle));
      expect((await get(`review/${middle}`)).status).toBe(404);
    },
  );

  it('of cameras without birds in their review labels, do not exist', async () => {
    await start({ reviewLabels: ['person'] });
    expect(frigate.bird().review).toBeUndefined();
    expect(await read('review?after=1')).toEqual([]);
    expect(await read('config')).toMatchObject({
      cameras: { birdcam: { review: { detections: { labels: ['person'] } } } },
    });
  });
});

describe('media of the Frigate stand-in', () => {
  it('a clip, returns 400 before its footage is stored, then a video, and 404 for an event without one', async () => {
    await start({ version: '0.18.0' });
    const bird = frigate.bird({ start: base, end: base + 3_000, footage: 'later' });
    const clip = await get(`events/${bird.id}/clip.mp4`);
    expect([clip.status, await clip.json()]).toMatchObject([
      400,
      { message: 'No recordings found for the specified time range' },
    ]);
    bird.footage('ready');
    const folder = mkdtempSync(join(tmpdir(), 'birdhub-frigate-'));
    try {
      for (const path of [
        `events/${bird.id}/clip.mp4?padding=1`,
        `review/${bird.review}/clip.mp4?padding=1`,
        `birdcam/start/${base / 1000 - 1}/end/${base / 1000 + 4}/clip.mp4`,
      ]) {
        const response = await get(path);
        expect([response.status, response.headers.get('content-length')], path).toEqual([200, null]);
        const file = join(folder, 'clip.mp4');
        writeFileSync(file, Buffer.from(await response.arrayBuffer()));
        const args = [
          '-v',
          'error',
          '-show_entries',
          'stream=codec_name:format=duration',
          '-of',
          'csv=p=0',
          file,
        ];
        expect(execFileSync('ffprobe', args).toString()).toMatch(/^h264\n5\./);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    const without = frigate.bird({ start: base, end: base + 3_000, hasClip: false });
    expect((await get(`events/${without.id}/clip.mp4`)).status).toBe(404);
    expect((await get('events/nothing/clip.mp4')).status).toBe(404);
    bird.footage('gone');
    expect((await get(`events/${bird.id}/clip.mp4`)).status).toBe(400);
  });

  it('pictures, have the types of their version', async () => {
    await start({ version: '0.17.1' });
    const bird = frigate.bird();
    for (const [name, type] of [
      ['snapshot.jpg?crop=1&h=100', 'image/jpeg'],
      ['thumbnail.jpg', 'image/jpeg'],
      ['snapshot-clean.webp', 'image/webp'],
    ]) {
      expect((await get(`events/${bird.id}/${name}`)).headers.get('content-type'), name).toBe(type);
    }
    expect((await get(`events/${bird.id}/snapshot-clean.png`)).status).toBe(404);
    expect((await get(`events/${bird.id}/snapshot.jpg`)).headers.get('cache-control')).toBe('no-store');
  });
});

describe('the login of the Frigate stand-in', () => {
  const login = { user: 'hub', password: 'secret' };

  it('with the password, gives access by cookie or bearer token until sessions end', async () => {
    await start({ login });
    expect((await get('events')).status).toBe(401);
    expect((await post('login', { user: 'hub', password: 'wrong' })).status).toBe(401);
    const response = await post('login', login);
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    const token = cookie.replace('frigate_token=', '');
    expect((await get('events', { cookie })).status).toBe(200);
    expect((await get('events', { authorization: `Bearer ${token}` })).status).toBe(200);
    frigate.endSessions();
    expect((await get('events', { cookie })).status).toBe(401);
  });

  it('as a viewer, may not write names; as an administrator, writes and clears them', async () => {
    await start({ login: { ...login, role: 'viewer' } });
    const token = (await post('login', login)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const bird = frigate.bird();
    const write = (body: object) => post(`events/${bird.id}/sub_label`, body, { cookie: token });
    expect((await write({ subLabel: 'Great Tit' })).status).toBe(403);
    await frigate.stop();
    await start();
    const other = frigate.bird({ name: 'Great Tit' });
    expect(
      (await post(`events/${other.id}/sub_label`, { subLabel: 'Blue Tit', subLabelScore: 1 })).status,
    ).toBe(200);
    expect(frigate.list()).toMatchObject([{ sub_label: 'Blue Tit' }]);
    expect((await post(`events/${other.id}/sub_label`, { subLabel: 'a'.repeat(101) })).status).toBe(422);
    expect((await post(`events/${other.id}/sub_label`, { subLabel: '' })).status).toBe(200);
    expect(frigate.list()).toMatchObject([{ sub_label: null }]);
    expect(frigate.writtenNames.map(({ subLabel }) => subLabel)).toEqual(['Blue Tit', '']);
  });
});

describe('a restart of the Frigate stand-in', () => {
  it('during an event, ends it 30 s after its start and keeps its id', async () => {
    await start();
    const bird = frigate.bird({ start: base });
    await frigate.restart(async () => {
      await expect(fetch(frigate.url)).rejects.toThrow();
    });
    expect(await read(`events/${bird.id}`)).toMatchObject({ end_time: base / 1000 + 30 });
    expect(await read(`review/${bird.review}`)).toMatchObject({ end_time: now / 1000 });
  });
});

const programs = findMosquitto();

describe.skipIf(!programs)('MQTT messages of the Frigate stand-in', () => {
  let broker: Mosquitto;
  let listener: MqttClient;
  const seen: { topic: string; text: string }[] = [];

  beforeEach(async () => {
    if (!programs) return;
    broker = await startMosquitto(programs);
    seen.length = 0;
    listener = await connectAsync({ host: '127.0.0.1', port: broker.port });
    listener.on('message', (topic, payload) => seen.push({ topic, text: payload.toString() }));
    await listener.subscribeAsync('garden/#');
    await start({ mqtt: { url: `mqtt://127.0.0.1:${broker.port}`, topicPrefix: 'garden' } });
  });
  afterEach(async () => {
    await listener.endAsync(true);
    await broker.stop();
  });

  const eventsSeen = () =>
    seen
      .filter(({ topic }) => topic === 'garden/events')
      .map(({ text }) => JSON.parse(text) as Record<string, object>);
  const availability = () => seen.filter(({ topic }) => topic === 'garden/available').map(({ text }) => text);

  it('of a bird that comes, is named and goes, have the name as a pair and the box in pixels', async () => {
    const bird = frigate.bird({ start: base, box: [0.5, 0.5, 0.1, 0.2] });
    bird.nameIt('Great Tit', 0.95);
    bird.end(base + 9_000);
    await frigate.published();
    await vi.waitFor(() => expect(eventsSeen()).toHaveLength(3));
    expect(eventsSeen()).toMatchObject([
      { type: 'new', after: { id: bird.id, sub_label: null, end_time: null, box: [640, 360, 768, 504] } },
      { type: 'update', before: { sub_label: null }, after: { sub_label: ['Great Tit', 0.95] } },
      { type: 'end', after: { end_time: base / 1000 + 9 } },
    ]);
    const reviews = seen
      .filter(({ topic }) => topic === 'garden/reviews')
      .map(({ text }) => JSON.parse(text) as object);
    expect(reviews.map((one) => (one as { type: string }).type)).toEqual(['new', 'end']);
    bird.nameIt('Blue Tit');
    await frigate.published();
    expect(eventsSeen()).toHaveLength(3);
  });

  it('after a crash, are offline by its last will, and online after the restart', async () => {
    await vi.waitFor(() => expect(availability()).toEqual(['online']));
    await frigate.restart(() => vi.waitFor(() => expect(availability()).toContain('offline')));
    await vi.waitFor(() => expect(availability().at(-1)).toBe('online'));
  });
});
