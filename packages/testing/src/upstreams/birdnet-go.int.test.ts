import { connectAsync, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findMosquitto, type Mosquitto, startMosquitto } from '../mosquitto.js';
import { type BirdNetGo, type BirdNetGoStart, startBirdNetGo } from './birdnet-go.js';

type Row = Record<string, unknown>;

/** Half past midnight in Berlin. */
const base = Date.UTC(2026, 4, 1, 22, 30);
let station: BirdNetGo;

afterEach(() => station.stop());

async function start(given: BirdNetGoStart = {}): Promise<void> {
  station = await startBirdNetGo({ timezone: 'Europe/Berlin', ...given });
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${station.url}/api/v2/${path}`, { headers, redirect: 'manual' });

async function read<T = Row>(path: string): Promise<T> {
  const response = await get(path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

const list = async (query: string) =>
  (await read<{ data: Row[]; total: number }>(`detections?${query}`)).data;
const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

describe('detections of the BirdNET-Go stand-in', () => {
  it('read page by page, are complete, in order of time, and in local time of the station', async () => {
    await start();
    const birds = [3_000, 0, 6_000, 0, 9_000].map((offset) =>
      station.hear({ begin: base + offset, seconds: 6 }),
    );
    const pages = await Promise.all(
      [0, 2, 4].map((offset) => list(`sortBy=date_asc&numResults=2&offset=${offset}`)),
    );
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(idsOf(pages.flat())).toEqual([2, 4, 1, 3, 5]);
    expect(birds.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(pages[0]?.[0]).toMatchObject({
      date: '2026-05-02',
      time: '00:30:00',
      beginTime: '2026-05-02T00:30:00+02:00',
      endTime: '2026-05-02T00:30:06+02:00',
      scientificName: 'Parus major',
      clipName: 'parus_major_91p_20260502T003000Z.wav',
      verified: 'unverified',
    });
    expect(await read('detections?numResults=2&offset=2')).toMatchObject({
      total: 5,
      limit: 2,
      offset: 2,
      current_page: 2,
      total_pages: 3,
    });
  });

  it('filtered by days, use the days of the station; a single day is ignored', async () => {
    await start();
    for (const offset of [-3_600_000, 0, 86_400_000]) station.hear({ begin: base + offset });
    expect(idsOf(await list('start_date=2026-05-02&end_date=2026-05-02'))).toEqual([2]);
    expect(idsOf(await list('start_date=2026-05-01&end_date=2026-05-02&sortBy=date_asc'))).toEqual([1, 2]);
    expect(await list('start_date=2026-05-03')).toHaveLength(3);
  });

  it.each([
    'numResults=1001',
    'numResults=0',
    'offset=1000001',
    'offset=-1',
    'start_date=yesterday',
    'start_date=2026-05-02&end_date=2026-05-01',
    'sortBy=luck',
    'duration=25',
    'queryType=hourly',
  ])('requested with %s, are refused', async (query) => {
    await start();
    expect((await get(`detections?${query}`)).status).toBe(400);
  });

  it('the same query within five minutes, returns the cached result until a review', async () => {
    await start();
    const bird = station.hear({ begin: base });
    expect(await list('numResults=10')).toHaveLength(1);
    station.hear({ begin: base });
    expect(await list('numResults=10')).toHaveLength(1);
    expect(await list('numResults=10&duration=2')).toHaveLength(2);
    bird.verify('false_positive');
    expect((await list('numResults=10&sortBy=date_asc')).map(({ verified }) => verified)).toEqual([
      'false_positive',
      'unverified',
    ]);
    bird.expire();
    expect((await get(`detections/${bird.id}`)).status).toBe(404);
    expect(await read<Row[]>('detections/recent?limit=5')).toMatchObject([{ id: 2 }]);
  });

  it.each([['endless'], ['same']] as const)('with %s paging, never end', async (paging) => {
    await start({ paging });
    for (let index = 0; index < 3; index += 1) station.hear({ begin: base + index });
    for (const offset of [0, 3, 900, 999_000])
      expect(await list(`numResults=3&offset=${offset}`)).toHaveLength(3);
  });
});

describe('clips of the BirdNET-Go stand-in', () => {
  it('not ready yet, return 503 with Retry-After, then the file, and 404 if missing', async () => {
    await start({ extension: 'flac' });
    const bird = station.hear({ begin: base, clip: 'later', clipSeconds: 2 });
    const early = await get(`audio/${bird.id}`);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '2']);
    bird.clip('ready');
    const clip = await get(`audio/${bird.id}`);
    expect([clip.status, clip.headers.get('content-type')]).toEqual([200, 'audio/flac']);
    expect(
      Buffer.from(await clip.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('fLaC');
    expect((await get(`spectrogram/${bird.id}`)).headers.get('content-type')).toBe('image/png');
    bird.clip('none');
    expect((await get(`audio/${bird.id}`)).status).toBe(404);
    expect(await read(`detections/${bird.id}`)).not.toHaveProperty('clipName');
  });
});

describe('the stream of the BirdNET-Go stand-in', () => {
  /** Collects the text until the stream ends. */
  async function listen(): Promise<{ status: number; text: () => string; ended: Promise<void> }> {
    const response = await get('detections/stream');
    let text = '';
    const consume = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array);
    };
    return { status: response.status, text: () => text, ended: consume() };
  }

  it('when opened, sends connected, heartbeats and detections, and can be closed', async () => {
    await start({ heartbeatMs: 20 });
    const stream = await listen();
    await vi.waitFor(() => expect(stream.text()).toMatch(/^event: connected\ndata: \{.*\}\n\n/));
    await vi.waitFor(() => expect(stream.text()).toContain('event: heartbeat'));
    station.hear({ begin: base });
    await vi.waitFor(() => expect(stream.text()).toContain('event: detection'));
    expect(stream.text()).not.toContain('Garden');
    station.closeStreams();
    await stream.ended;
    expect(station.streams()).toBe(0);
  });

  it('opened too often, is refused', async () => {
    await start({ maxStreams: 2 });
    const opened = [await listen(), await listen(), await listen()];
    expect(opened.map(({ status }) => status)).toEqual([200, 200, 429]);
  });
});

describe('the login of the BirdNET-Go stand-in', () => {
  const login = { username: 'birdnet', password: 'secret' };
  const post = (body: unknown) =>
    fetch(`${station.url}/api/v2/auth/login`, { method: 'POST', body: JSON.stringify(body) });

  it('in private mode below a base path, is required, and gives access by the cookie of the callback', async () => {
    await start({ login, isPrivate: true, basePath: '/birdnet' });
    station.hear({ begin: base });
    expect((await get('detections')).status).toBe(401);
    expect(await read('app/config')).toMatchObject({ security: { privateMode: true, accessAllowed: false } });
    expect((await post({ username: 'birdnet', password: 'wrong' })).status).toBe(401);
    const { redirectUrl } = (await (await post(login)).json()) as { redirectUrl: string };
    expect(redirectUrl).toMatch(/^\/birdnet\/api\/v2\/auth\/callback\?code=/);
    const callback = await fetch(new URL(redirectUrl, station.url), { redirect: 'manual' });
    const cookie = callback.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(callback.status).toBe(302);
    expect(await (await get('detections', { cookie })).json()).toMatchObject({
      data: [{ source: { id: 'rtsp_65c31a0b', displayName: 'Garden' } }],
    });
    station.endSessions();
    expect((await get('detections', { cookie })).status).toBe(401);
    expect((await fetch(station.url.replace('/birdnet', '/api/v2/detections'))).status).toBe(404);
  });

  it('without private mode, hides sources from guests', async () => {
    await start({ login });
    station.hear({ begin: base });
    expect((await list('numResults=5'))[0]).not.toHaveProperty('source');
  });
});

const programs = findMosquitto();

describe.skipIf(!programs)('MQTT messages of the BirdNET-Go stand-in', () => {
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
    await listener.subscribeAsync('garden');
    await start({ mqtt: { url: `mqtt://127.0.0.1:${broker.port}`, topic: 'garden' } });
  });
  afterEach(async () => {
    await listener.endAsync(true);
    await broker.stop();
  });

  it('of a bird, have its fields; a silent bird and one while the broker is away send none', async () => {
    station.hear({ begin: base, confidence: 0.876 });
    station.hear({ begin: base, isSilent: true });
    await station.published();
    await vi.waitFor(() => expect(seen.filter(({ topic }) => topic === 'garden')).toHaveLength(1));
    expect(JSON.parse(seen.find(({ topic }) => topic === 'garden')?.text ?? '')).toMatchObject({
      Date: '2026-05-02',
      Time: '00:30:00',
      BeginTime: '2026-05-02T00:30:00+02:00',
      ScientificName: 'Parus major',
      Confidence: 0.88,
      detectionId: 1,
    });
    await station.restart(() =>
      vi.waitFor(() => expect(seen).toContainEqual({ topic: 'garden/status', text: 'offline' })),
    );
    await vi.waitFor(() => expect(seen.at(-1)).toEqual({ topic: 'garden/status', text: 'online' }));
  });
});
