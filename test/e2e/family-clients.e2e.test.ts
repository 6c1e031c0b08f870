import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readJson } from './fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

/** Calls as the UI and the processors of the BirdLense family make them. */
const folder = useDataFolder();
let hub: TestHub;
let robinId: number;

const ui = (path: string) => `${hub.baseUrl}/api/ui${path}`;

async function send(method: string, url: string, body: object): Promise<{ status: number; body: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

interface Clip {
  readonly at: string;
  readonly path: string;
  readonly species?: string;
  readonly source?: 'video' | 'audio';
  readonly seconds?: number;
  readonly provider?: string;
  readonly trigger?: string;
}

async function post({ at, path, species = 'Great Tit', source = 'video', seconds = 4, ...more }: Clip) {
  const start = new Date(at);
  const { status, body } = await send('POST', `${hub.baseUrl}/api/processor/videos`, {
    processor_version: 'family',
    camera_id: 'garden',
    start_time: start.toISOString(),
    end_time: new Date(start.getTime() + 60_000).toISOString(),
    video_path: path,
    spectrogram_path: path.replace('.mp4', '.jpg'),
    trigger_source: more.trigger ?? 'motion',
    species: [
      {
        species_name: species,
        confidence: 0.9,
        start_time: 1,
        end_time: 1 + seconds,
        source,
        track_id: 1,
        detection_provider: more.provider ?? 'yolo',
      },
    ],
  });
  expect(status).toBe(201);
  return (body as { video_id: number }).video_id;
}

const clips: Clip[] = [
  { at: '2026-05-01T06:30:00Z', path: 'clips/dawn.mp4' },
  {
    at: '2026-05-01T13:10:00Z',
    path: 'data/recordings/clips/noon.mp4',
    species: 'Eurasian Blue Tit',
    seconds: 40,
  },
  { at: '2026-05-01T18:20:00Z', path: 'clips/dusk.mp4', species: 'European Robin', trigger: 'audio' },
  {
    at: '2026-05-01T22:40:00Z',
    path: 'clips/night.mp4',
    species: 'Tawny Owl',
    source: 'audio',
    provider: 'birdnet',
  },
];
let ids: number[];

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
  ids = [];
  for (const clip of clips) ids.push(await post(clip));
  const favorite = await send('PATCH', ui(`/videos/${ids[1]}`), { favorite: true });
  expect(favorite.status).toBe(200);
  const species = await readJson<{ id: number; name: string }[]>(ui('/species'));
  robinId = species.find(({ name }) => name === 'European Robin')?.id ?? 0;
});

interface Visit {
  readonly id: number;
  readonly species: { readonly name: string; readonly image_url: string | null };
  readonly detections: readonly { readonly id: number }[];
}

const allNames = ['Tawny Owl', 'European Robin', 'Eurasian Blue Tit', 'Great Tit'];

describe('the timeline and its export', () => {
  it.each<[string, readonly string[]]>([
    ['', allNames],
    ['favorite_only=true', ['Eurasian Blue Tit']],
    ['favorite_only=false', allNames],
    ['hour=6', ['Great Tit']],
    ['hour=0', []],
    ['time_of_day=morning', ['Great Tit']],
    ['time_of_day=afternoon', ['Eurasian Blue Tit']],
    ['time_of_day=evening', ['European Robin']],
    ['time_of_day=night', ['Tawny Owl']],
    ['min_duration_sec=40', ['Eurasian Blue Tit']],
    ['min_duration_sec=40.5', []],
    ['detection_source=audio', ['Tawny Owl']],
    ['detection_provider=birdnet', ['Tawny Owl']],
    ['trigger_source=audio', ['European Robin']],
    ['detection_provider=yolo&time_of_day=morning&hour=6', ['Great Tit']],
  ])('filtered by "%s", have the same visits', async (filter, names) => {
    const query = `date=2026-05-01${filter && `&${filter}`}`;
    const visits = await readJson<Visit[]>(ui(`/timeline?${query}`));
    const rows = await readJson<{ id: number; species_name: string }[]>(ui(`/timeline/export?${query}`));
    expect(visits.map((visit) => visit.species.name)).toEqual(names);
    expect(rows.map((row) => row.species_name)).toEqual(names);
    expect(rows.map((row) => row.id)).toEqual(visits.map((visit) => visit.id));
  });

  it.each([
    ['hour=24', 'hour'],
    ['hour=x', 'hour'],
    ['time_of_day=teatime', 'time_of_day'],
    ['min_duration_sec=-1', 'min_duration_sec'],
    ['detection_source=smell', 'detection_source'],
    ['favorite_only=perhaps', 'favorite_only'],
  ])('filtered by "%s", are refused with the name of the field', async (filter, field) => {
    for (const path of ['/timeline', '/timeline/export']) {
      const response = await fetch(ui(`${path}?date=2026-05-01&${filter}`));
      expect(response.status).toBe(400);
      expect(JSON.stringify(await response.json())).toContain(field);
    }
  });

  it('filtered by an hour, take it in the zone of the hub', async () => {
    expect((await send('PATCH', ui('/settings'), { general: { timezone: 'Asia/Tokyo' } })).status).toBe(200);
    try {
      const window = 'start_time=2026-05-01T00:00:00Z&end_time=2026-05-02T00:00:00Z';
      const visits = await readJson<Visit[]>(ui(`/timeline?${window}&hour=15`));
      expect(visits.map((visit) => visit.species.name)).toEqual(['Great Tit']);
    } finally {
      await send('PATCH', ui('/settings'), { general: { timezone: 'UTC' } });
    }
  });
});

describe('a query parameter that an operation does not have', () => {
  it('sent twice, is named in X-Hub-Ignored also with a cached response', async () => {
    for (let round = 0; round < 2; round += 1) {
      const response = await fetch(ui('/timeline?date=2026-05-01&colour=red&sort%0A=up'));
      expect(response.status).toBe(200);
      expect(response.headers.get('x-hub-ignored')).toBe('colour, sort%0A');
    }
    expect((await fetch(ui('/timeline?date=2026-05-01'))).headers.has('x-hub-ignored')).toBe(false);
  });

  it('sent to an operation without parameters, is named too', async () => {
    const response = await fetch(ui('/health?deep=1'));
    expect(response.headers.get('x-hub-ignored')).toBe('deep');
  });

  it('sent with a hundred others, gives a short header', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `${'x'.repeat(100)}${at}=1`).join('&');
    const ignored = (await fetch(ui(`/species?${names}`))).headers.get('x-hub-ignored') ?? '';
    expect(ignored.split(', ')).toHaveLength(20);
    expect(ignored.length).toBeLessThan(1_400);
  });
});

describe('species', () => {
  it('in full, have a root for birds, with Bird and Unknown below it, and roots for others', async () => {
    const all = await readJson<{ id: number; name: string; parent_id: number | null }[]>(ui('/species'));
    const root = all.find(({ name }) => name === 'Birds');
    const unknownName = all.filter(({ parent_id }) => parent_id === null).map(({ name }) => name);
    expect(unknownName.sort()).toEqual(['Birds', 'Noise', 'Other animals']);
    for (const name of ['Bird', 'Unknown'])
      expect(all.find((one) => one.name === name)?.parent_id).toBe(root?.id);
  });

  it('with the scope observed, are those that had visits', async () => {
    const observed = await readJson<{ name: string }[]>(ui('/species?scope=observed'));
    expect(observed.map(({ name }) => name).sort()).toEqual([...allNames].sort());
    expect(await readJson(ui('/species/observed'))).toEqual(observed);
    expect((await fetch(ui('/species?scope=nearby'))).status).toBe(400);
  });

  it.each(['active', 'observed', 'dataset', 'all', 'full', 'full_eu'])(
    'in the catalog %s, are counted in the calendar',
    async (catalog) => {
      const { species } = await readJson<{ species: { name: string }[] }>(
        ui(`/migration-calendar?catalog=${catalog}`),
      );
      const isWhole = ['all', 'full', 'full_eu'].includes(catalog);
      if (isWhole) expect(species.length).toBeGreaterThan(400);
      else if (catalog === 'dataset') expect(species).toEqual([]);
      else expect(species.map(({ name }) => name).sort()).toEqual([...allNames].sort());
    },
  );
});

describe('a recording', () => {
  it('posted with or without data/recordings, is returned with it', async () => {
    for (const [at, { path }] of clips.entries()) {
      const video = await readJson<{ video_path: string; spectrogram_path: string }>(
        ui(`/videos/${ids[at]}`),
      );
      const whole = `data/recordings/${path.replace('data/recordings/', '')}`;
      expect(video.video_path).toBe(whole);
      expect(video.spectrogram_path).toBe(whole.replace('.mp4', '.jpg'));
    }
  });

  it('with a picture of its species, has an address relative to the hub', async () => {
    const given = await send('PATCH', ui(`/species/${robinId}`), { image_url: '/api/ui/detections/1/crop' });
    expect(given).toMatchObject({ status: 200, body: { image_url: 'api/ui/detections/1/crop' } });
    const robin = (visits: Visit[]) => visits.find((visit) => visit.species.name === 'European Robin');
    // These clients do not send the consistency token, so a read right after a change may be answered from the cache.
    await vi.waitFor(async () => {
      const visits = await readJson<Visit[]>(ui('/timeline?date=2026-05-01'));
      expect(robin(visits)?.species.image_url).toBe('api/ui/detections/1/crop');
    });
    const again = await send('PATCH', ui(`/species/${robinId}`), { image_url: 'api/ui/detections/1/crop' });
    expect(again.status).toBe(200);
    for (const image_url of ['javascript:alert(1)', '//evil.example/x.png', '/\\evil.example', 'ftp://x/y'])
      expect((await send('PATCH', ui(`/species/${robinId}`), { image_url })).status).toBe(400);
  });
});

describe('a correction', () => {
  it.each([
    ['single_track', 200],
    ['whole_visit', 200],
    ['legacy_fanout', 200],
    ['everything', 400],
  ])('with the scope %s, is answered with %i, whatever its source', async (apply_scope, status) => {
    const [visit] = await readJson<Visit[]>(ui('/timeline?date=2026-05-01&hour=6'));
    const body = { species_id: robinId, apply_scope, source: 'timeline' };
    const corrected = await send('PATCH', ui(`/detections/${visit?.detections[0]?.id}`), body);
    expect(corrected.status).toBe(status);
    if (status === 400) expect(JSON.stringify(corrected.body)).toContain('apply_scope');
  });
});

describe('the first requests of a page', () => {
  it('for a CSRF token, return a new one each time', async () => {
    const first = await readJson<{ csrf_token: string }>(ui('/csrf-token'));
    const second = await readJson<{ csrf_token: string }>(ui('/csrf-token'));
    expect(first.csrf_token).toMatch(/^[\w-]{32}$/);
    expect(second.csrf_token).not.toBe(first.csrf_token);
  });

  it('for the status, return name, zone and doubt threshold', async () => {
    await send('PATCH', ui('/settings'), { ui: { unknown_confidence_threshold: 0.7 } });
    expect(await readJson(ui('/status'))).toMatchObject({
      app_name: 'Birdhub',
      timezone: 'UTC',
      doubt_threshold: 0.7,
    });
  });

  it('for retention, return the policy and its last run', async () => {
    expect(await readJson(ui('/system/retention'))).toMatchObject({
      policy: { days: 90, max_gb: 32, min_free_gb: 2, protect_favorites: true, keep_best_per_species: 3 },
    });
    await send('PATCH', ui('/settings'), { retention: { days: 0, max_gb: 0 } });
    expect((await send('POST', ui('/system/retention'), {})).status).toBe(200);
    expect(await readJson(ui('/system/retention'))).toMatchObject({
      last_run: { started_by: 'request', deletedCount: 0, deletedSize: 0 },
    });
  });
});
