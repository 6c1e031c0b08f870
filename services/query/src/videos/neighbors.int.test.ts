import { aRecording, insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { NeighborsSchema } from './videos.schema.js';

const times = [
  '2026-04-29T12:00:00Z',
  '2026-05-01T00:00:00Z',
  '2026-05-01T12:00:00Z',
  '2026-05-01T12:00:00Z',
  '2026-05-01T22:30:00Z',
  '2026-05-03T12:00:00Z',
];

describe('GET /videos/:id/neighbors', () => {
  let query: TestQuery;
  const ids: number[] = [];
  const neighbors = (place: number, parameters = '') =>
    query.get(`/api/ui/videos/${ids[place]}/neighbors?${parameters}`);

  beforeAll(async () => {
    query = await createTestQuery();
    for (const [index, time] of times.entries()) {
      const recording = aRecording({ start: Date.parse(time), videoPath: `${index}.mp4`, detections: [] });
      ids.push((await query.post(recording)).videoId);
    }
  });
  afterAll(() => query.close());

  it('in the middle of the day, has one on each side', async () => {
    const { status, body } = await neighbors(2);
    expect(status).toBe(200);
    expectShape(NeighborsSchema, body);
    expect(body).toEqual({
      day_scope: 'utc',
      day_label: '2026-05-01',
      timezone_offset_minutes: 0,
      cross_day: false,
      previous_id: ids[1],
      next_id: ids[3],
      index: 1,
      total: 4,
    });
  });

  it('with equal start times, is ordered by id', async () => {
    expect((await neighbors(3)).body).toMatchObject({ previous_id: ids[2], next_id: ids[4], index: 2 });
  });

  it('at the ends of the day, has none beyond it', async () => {
    expect((await neighbors(1)).body).toMatchObject({ previous_id: null, next_id: ids[2], index: 0 });
    expect((await neighbors(4)).body).toMatchObject({ previous_id: ids[3], next_id: null, index: 3 });
  });

  it.each(['1', 'true', 'yes'])('with cross_day=%s, has the nearest of other days', async (flag) => {
    const first = { previous_id: ids[0], next_id: ids[2], index: 0, total: 4, cross_day: true };
    expect((await neighbors(1, `cross_day=${flag}`)).body).toMatchObject(first);
    expect((await neighbors(4, `cross_day=${flag}`)).body).toMatchObject({ next_id: ids[5], index: 3 });
  });

  it('at the first and last recording with cross_day, has none', async () => {
    expect((await neighbors(0, 'cross_day=1')).body).toMatchObject({ previous_id: null, next_id: ids[1] });
    expect((await neighbors(5, 'cross_day=1')).body).toMatchObject({ previous_id: ids[4], next_id: null });
  });

  it('with cross_day=0, is limited to the day', async () => {
    expect((await neighbors(1, 'cross_day=0')).body).toMatchObject({ previous_id: null, cross_day: false });
  });

  it.each([
    ['day_scope=local&tz_offset_minutes=-120', '2026-05-02', -120, 1],
    ['day_scope=local&tz=Europe/Prague', '2026-05-02', -120, 1],
    ['day_scope=local&tz=Europe/Prague&tz_offset_minutes=300', '2026-05-02', -120, 1],
    ['day_scope=local&tz_offset_minutes=300', '2026-05-01', 300, 3],
    ['day_scope=local', '2026-05-01', 0, 4],
    ['tz=Europe/Prague', '2026-05-01', 0, 4],
  ])('late in the evening with %s, is on %s', async (parameters, day, offset, total) => {
    const { body } = await neighbors(4, parameters);
    expect(body).toMatchObject({ day_label: day, timezone_offset_minutes: offset, total });
  });

  it('with a local day and no zone, uses the zone of the settings', async () => {
    await query.setSettings({ general: { timezone: 'Asia/Kathmandu' } });
    const { body } = await neighbors(4, 'day_scope=local');
    expect(body).toMatchObject({ day_label: '2026-05-02', timezone_offset_minutes: -345, total: 1 });
    await query.setSettings({});
  });

  it.each([
    ['tz=Mars/Olympus', 'tz'],
    ['day_scope=moon', 'day_scope'],
    ['tz_offset_minutes=841', 'tz_offset_minutes'],
    ['tz_offset_minutes=-841', 'tz_offset_minutes'],
    ['tz_offset_minutes=1.5', 'tz_offset_minutes'],
  ])('%s, is refused for %s', async (parameters, path) => {
    const { status, body } = await neighbors(2, parameters);
    expect([status, body.details[0].path]).toEqual([400, path]);
  });

  it('after another recording of the day, has another index', async () => {
    expect((await neighbors(4)).body.index).toBe(3);
    await query.post(aRecording({ start: Date.parse('2026-05-01T01:00:00Z'), detections: [] }));
    expect((await neighbors(4)).body).toMatchObject({ index: 4, total: 5 });
  });

  it('with six recordings or ten thousand, takes the same two statements', async () => {
    const path = `/api/ui/videos/${ids[2]}/neighbors`;
    await query.notify({ kind: 'everything' });
    expect(await query.countStatements(path)).toBe(2);
    await insertManyVisits(query.database.pool, {
      count: 10_000,
      from: Date.UTC(2026, 4, 4),
      everyMs: 120_000,
    });
    await query.notify({ kind: 'everything' });
    expect(await query.countStatements(path)).toBe(2);
  });
});
