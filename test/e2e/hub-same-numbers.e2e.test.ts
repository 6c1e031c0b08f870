import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it } from 'vitest';
import { readJson, type SpeciesResponse, type TimelineItem } from './fixtures/hub-responses.js';
import {
  countCalendar,
  countExport,
  countOverviews,
  countSpeciesList,
  countTimeline,
  type SpeciesCounts,
  withoutGeneric,
} from './fixtures/species-counts.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const folder = useDataFolder();
const days = ['2025-03-30', '2025-03-31', '2025-04-01'];
const kinds = ['Great Tit', 'Eurasian Blue Tit', 'European Robin', 'Unknown', 'Great Tit'];
let hub: TestHub;

const ui = () => `${hub.baseUrl}/api/ui`;

/** A recording of one or two birds every two and a half hours, some of them only heard. */
function bodyOf(number: number): object {
  const start = Date.parse(`${days[0]}T00:10:00Z`) + number * 150 * 60_000;
  const name = kinds[number % kinds.length];
  const seen = {
    species_name: name,
    confidence: 0.9,
    start_time: 1,
    end_time: 6,
    source: 'video',
    track_id: 1,
  };
  const second = { ...seen, start_time: 3, end_time: 9, track_id: 2 };
  const heard = { ...seen, species_name: 'European Robin', source: 'audio', track_id: null };
  return {
    processor_version: '1',
    camera_id: 'garden',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 10_000).toISOString(),
    video_path: `2025/${number}.mp4`,
    species: [seen, ...(number % 3 ? [] : [second]), ...(number % 4 ? [] : [heard])],
  };
}

async function send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${hub.baseUrl}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function speciesIdOf(name: string): Promise<number> {
  const species = await readJson<SpeciesResponse[]>(`${ui()}/species`);
  return species.find((one) => one.name === name)?.id ?? Number.NaN;
}

async function visitsOf(name: string): Promise<TimelineItem[]> {
  const items = await Promise.all(
    days.map((day) => readJson<TimelineItem[]>(`${ui()}/timeline?date=${day}`)),
  );
  return items.flat().filter((item) => item.species.name === name);
}

const sum = (numbers: SpeciesCounts) => Object.values(numbers).reduce((all, { visits }) => all + visits, 0);

/** Expects the same numbers in every place; returns those of the timeline. */
async function expectSameNumbers(): Promise<SpeciesCounts> {
  const timeline = await countTimeline(ui(), days);
  const known = withoutGeneric(timeline);
  expect(await countExport(ui(), days), 'export').toEqual(timeline);
  expect(await countCalendar(ui()), 'calendar').toEqual(known);
  expect(await countOverviews(ui(), days), 'overviews').toBe(sum(known));
  const birds = Object.fromEntries(Object.entries(timeline).map(([name, numbers]) => [name, numbers.birds]));
  expect(await countSpeciesList(ui()), 'species').toEqual(birds);
  const metrics = await (await fetch(`${hub.baseUrl}/metrics`)).text();
  expect(/^birdhub_visits (\d+)$/m.exec(metrics)?.[1], 'metrics').toBe(String(sum(timeline)));
  return timeline;
}

beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
  for (let number = 0; number < 28; number += 1) await send('POST', '/api/processor/videos', bodyOf(number));
});

describe('timeline, export, calendar, overviews, species and metrics', () => {
  it('for three days as posted, have the same numbers', async () => {
    const numbers = await expectSameNumbers();
    expect(Object.keys(numbers)).toEqual(expect.arrayContaining([...new Set(kinds)]));
  });

  it('after a correction and after its undo, have the same numbers', async () => {
    const before = await expectSameNumbers();
    const [visit] = await visitsOf('Great Tit');
    const detection = visit?.detections[0]?.id;
    const robin = await speciesIdOf('European Robin');
    await send('PATCH', `/api/ui/detections/${detection}`, { species_id: robin, apply_scope: 'visit' });
    const corrected = await expectSameNumbers();
    expect(corrected['Great Tit']?.visits).toBe((before['Great Tit']?.visits ?? 0) - 1);
    await send('POST', `/api/ui/detections/${detection}/revert`);
    expect(await expectSameNumbers()).toEqual(before);
  });

  it('after a deletion and after the same posts again, have the same numbers', async () => {
    const before = await expectSameNumbers();
    const [visit] = await visitsOf('Eurasian Blue Tit');
    await send('DELETE', `/api/ui/videos/${visit?.detections[0]?.video_id}`);
    const after = await expectSameNumbers();
    expect(sum(after)).toBeLessThan(sum(before));
    for (let number = 0; number < 28; number += 1)
      await send('POST', '/api/processor/videos', bodyOf(number));
    expect(await expectSameNumbers()).toEqual(after);
  });

  it('after a merge and after its undo, have the same numbers', async () => {
    const before = await expectSameNumbers();
    const [from, into] = [await speciesIdOf('Eurasian Blue Tit'), await speciesIdOf('Great Tit')];
    const { merge_id } = await send('POST', `/api/ui/species/${from}/merge`, { into_species_id: into });
    const merged = await expectSameNumbers();
    expect(merged['Eurasian Blue Tit']).toBeUndefined();
    await send('POST', `/api/ui/species/merges/${merge_id}/revert`);
    expect(await expectSameNumbers()).toEqual(before);
  });

  it('after a change of the gap and after its undo, have the same numbers', async () => {
    const before = await expectSameNumbers();
    await send('PATCH', '/api/ui/settings', { visits: { gap_seconds: 9_000 } });
    await expect.poll(async () => sum(await countTimeline(ui(), days))).toBeLessThan(sum(before));
    await expectSameNumbers();
    await send('PATCH', '/api/ui/settings', { visits: { gap_seconds: 60 } });
    await expect.poll(async () => sum(await countTimeline(ui(), days))).toBe(sum(before));
    await expectSameNumbers();
  });
});
