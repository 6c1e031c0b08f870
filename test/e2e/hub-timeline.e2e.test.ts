import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type EventLog, openEventLog } from './fixtures/event-log.js';
import { type ComparedItem, compareItems, expectTimeline } from './fixtures/expected-timeline.js';
import {
  type CamerasResponse,
  type NeighborsResponse,
  readJson,
  readPages,
  type SpeciesResponse,
  type TimelineItem,
} from './fixtures/hub-responses.js';
import { type Posted, postDay, postedDate } from './fixtures/posted-day.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
let hub: TestHub;
let log: EventLog;
let posted: Posted[];
let species: SpeciesResponse[];
let expected: ComparedItem[];

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
  log = await openEventLog(hub.natsUrl);
  posted = await postDay(hub.baseUrl);
  species = await readJson<SpeciesResponse[]>(`${hub.baseUrl}/api/ui/species`);
  expected = expectTimeline(
    posted.map(({ body }) => body),
    species,
  );
  return () => log.close();
});

const ui = (path: string) => `${hub.baseUrl}/api/ui${path}`;
const dayUrl = () => ui(`/timeline?date=${postedDate}`);

describe('the timeline', () => {
  it('of fifty recordings posted out of order, is as the visit rule defines it', async () => {
    const items = await readJson<TimelineItem[]>(dayUrl());
    expect(posted).toHaveLength(50);
    expect(new Set(posted.map(({ body }) => body.camera_id))).toEqual(new Set(['garden', 'balcony']));
    expect(compareItems(items)).toEqual(expected);
    const kinds = new Set(items.map((item) => item.timeline_kind));
    expect(kinds).toEqual(new Set(['visit', 'unlinked_video']));
    const order = items.map((item) => [Date.parse(item.start_time), item.id] as const);
    expect(order).toEqual([...order].sort((a, b) => b[0] - a[0] || b[1] - a[1]));
  });

  it('for a window of seconds or of date-times, is the same as for the day', async () => {
    const [from, to] = [`${postedDate}T00:00:00Z`, '2025-05-13T00:00:00Z'];
    const bySeconds = `start_time=${Date.parse(from) / 1000}&end_time=${Date.parse(to) / 1000}.0`;
    const whole = await readJson(dayUrl());
    expect(await readJson(ui(`/timeline?${bySeconds}`))).toEqual(whole);
    expect(await readJson(ui(`/timeline?start_time=${from}&end_time=${to}`))).toEqual(whole);
  });

  it('for a window that begins during a visit, has that visit and nothing that ended before', async () => {
    const { start, end } = expected.find((item) => item.end - item.start > 4000) ?? { start: 0, end: 0 };
    const middle = start + Math.floor((end - start) / 2000) * 1000;
    const until = Date.parse('2025-05-13T00:00:00Z');
    const items = await readJson<TimelineItem[]>(
      ui(`/timeline?start_time=${middle / 1000}&end_time=${until / 1000}`),
    );
    expect(compareItems(items)).toEqual(expected.filter((item) => item.end >= middle));
  });

  it('in pages of four, is complete when they are joined by their links', async () => {
    const whole = await readJson<TimelineItem[]>(dayUrl());
    const { items, pages } = await readPages<TimelineItem>(`${dayUrl()}&limit=4`);
    expect(items).toEqual(whole);
    expect(pages).toBe(Math.ceil(whole.length / 4));
  });

  it('with an entity tag, returns 304 until a recording of the window changes', async () => {
    const url = ui('/timeline?date=2025-06-01');
    const first = await fetch(url);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"/);
    const again = await fetch(url, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    const body = { ...posted[0]?.body, start_time: '2025-06-01T10:00:00Z', end_time: '2025-06-01T10:01:00Z' };
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const later = JSON.stringify({ ...body, video_path: 'later.mp4' });
    expect((await fetch(`${hub.baseUrl}/api/processor/videos`, { ...post, body: later })).status).toBe(201);
    const changed = await fetch(url, { headers: { 'if-none-match': tag } });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toHaveLength(1);
  });
});

describe('reads beside the timeline', () => {
  it('neighbours, followed from either end, visit every recording of the day once', async () => {
    const byStart = posted.map(({ body, response }) => ({
      at: Date.parse(body.start_time),
      id: response.video_id,
    }));
    const ids = byStart.sort((a, b) => a.at - b.at || a.id - b.id).map(({ id }) => id);
    const forwards = await walk(ids[0], ({ next_id }) => next_id);
    const backwards = await walk(ids.at(-1), ({ previous_id }) => previous_id);
    expect(forwards.ids).toEqual(ids);
    expect(backwards.ids).toEqual([...ids].reverse());
    const [first = 0] = forwards.indexes;
    expect(forwards.indexes).toEqual(ids.map((_, place) => first + place));
    expect(backwards.indexes).toEqual([...forwards.indexes].reverse());
    expect(forwards.totals).toEqual(new Set([ids.length]));
  });

  it('species, after the posts, count the birds of their visits', () => {
    const counts: Record<string, number> = {};
    for (const { kind, species: name, maxSimultaneous } of expected) {
      if (kind === 'visit') counts[name] = (counts[name] ?? 0) + maxSimultaneous;
    }
    const seen = species.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]);
    expect(Object.fromEntries(seen)).toEqual(counts);
    expect(species.map(({ name }) => name)).toContain('Red-breasted Nuthatch');
  });

  it('families, compared with species, are their parents and no species of the garden', async () => {
    const families = await readJson<{ id: number; name: string }[]>(ui('/bird_families'));
    const isFamily = new Set(families.map(({ id }) => id));
    const sparrow = species.find(({ name }) => name === 'House Sparrow');
    expect(families.length).toBeGreaterThan(20);
    expect(isFamily.has(sparrow?.parent_id ?? 0)).toBe(true);
    expect(isFamily.has(sparrow?.id ?? 0)).toBe(false);
  });

  it('cameras, after the posts, have their number of recordings and the time of the newest', async () => {
    const { cameras } = await readJson<CamerasResponse>(ui('/cameras'));
    const ofDay = (id: string) => posted.filter(({ body }) => body.camera_id === id);
    const balcony = cameras.find(({ id }) => id === 'balcony');
    expect(cameras.map(({ id }) => id).sort()).toEqual(['balcony', 'garden']);
    expect(balcony?.recordings).toBe(ofDay('balcony').length);
    const newest = Math.max(...ofDay('balcony').map(({ body }) => Date.parse(body.start_time)));
    expect(Date.parse(balcony?.last_recording_at ?? '')).toBe(newest);
  });

  it('the event stream, after the posts, has one event per recording and per visit that began', async () => {
    const ids = posted.map(({ response }) => response.video_id).sort((a, b) => a - b);
    const upserts = () =>
      log.of('hub.v1.recording.upserted').filter(({ video_id }) => ids.includes(video_id));
    await vi.waitUntil(() => new Set(upserts().map(({ video_id }) => video_id)).size === ids.length);
    expect(
      upserts()
        .map(({ video_id }) => video_id)
        .sort((a, b) => a - b),
    ).toEqual(ids);
    expect(upserts().every(({ created }) => created)).toBe(true);
    const items = await readJson<TimelineItem[]>(dayUrl());
    const visitIds = items.flatMap((item) => (item.timeline_kind === 'visit' ? [item.id] : []));
    const started = log.of('hub.v1.visit.started').map(({ visit_id }) => visit_id);
    expect(started).toEqual(expect.arrayContaining(visitIds));
    expect(new Set(started).size).toBe(started.length);
  });
});

async function walk(from: number | undefined, step: (response: NeighborsResponse) => number | null) {
  const ids: number[] = [];
  const indexes: number[] = [];
  const totals = new Set<number>();
  for (let id: number | null = from ?? null; id !== null && ids.length <= posted.length; ) {
    const response: NeighborsResponse = await readJson(ui(`/videos/${id}/neighbors?day_scope=utc`));
    ids.push(id);
    indexes.push(response.index);
    totals.add(response.total);
    id = step(response);
  }
  return { ids, indexes, totals };
}
