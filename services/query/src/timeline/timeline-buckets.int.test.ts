import { createSpeciesDirectory } from '@birdhub/domain/species';
import { rebuildVisits } from '@birdhub/domain/visits';
import { dayWindowAt, startOfDay } from '@birdhub/shared/time';
import { aDetection, aRecording, writeUnchecked } from '@birdhub/testing';
import fc from 'fast-check';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { readPlan } from '../testing/measurements.js';
import { getTimeline, speciesIdOf } from '../testing/timeline.js';
import { type BucketStep, TimelineBucketSchema } from './timeline-buckets.schema.js';
import { cutWindow, rollupBucketsSql } from './timeline-buckets.store.js';

const minute = 60_000;
const day = 86_400_000;

const window = (start: number, end: number) => `start_time=${start / 1000}&end_time=${end / 1000}`;

async function getBuckets(query: TestQuery, parameters: string) {
  const response = await query.get(`/api/ui/timeline/buckets?${parameters}`);
  if (response.status === 200) expectShape(Type.Array(TimelineBucketSchema), response.body);
  return response;
}

describe('GET /timeline/buckets', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
    const post = (at: string, ...detections: ReturnType<typeof aDetection>[]) =>
      query.post(aRecording({ start: Date.parse(at), detections }));
    await post('2025-12-31T23:30:00Z', aDetection());
    await post('2026-01-01T08:00:00Z', aDetection(), aDetection({ speciesName: 'European Robin' }));
    await post('2026-01-01T09:00:00Z', aDetection({ confidence: 0.3 }));
    await post('2026-01-03T09:00:00Z', aDetection({ speciesName: 'Bird' }));
    await post('2026-02-03T09:00:00Z', aDetection({ speciesName: 'Eurasian Red Squirrel' }));
    await post('2026-02-04T09:00:00Z', aDetection());
    await query.post(aRecording({ start: Date.parse('2026-02-05T09:00:00Z'), detections: [] }));
  });
  afterAll(() => query.close());

  const winter = 'start_time=2025-12-01T00:00:00Z&end_time=2026-03-01T00:00:00Z';

  it('with three months by day, leaves out empty days and recordings without visits', async () => {
    const { body } = await getBuckets(query, winter);
    expect(body).toEqual([
      { start: '2025-12-31T00:00:00.000Z', visits: 1, species: 1 },
      { start: '2026-01-01T00:00:00.000Z', visits: 3, species: 2 },
      { start: '2026-01-03T00:00:00.000Z', visits: 1, species: 0 },
      { start: '2026-02-03T00:00:00.000Z', visits: 1, species: 0 },
      { start: '2026-02-04T00:00:00.000Z', visits: 1, species: 1 },
    ]);
  });

  it.each([
    ['', [1, 4, 2]],
    ['&group=other_animal', [1]],
    ['&group=bird', [1, 4, 1]],
    ['&min_confidence=0.5', [1, 3, 2]],
    ['&source=audio', []],
    ['&timeline_kind=visit', [1, 4, 2]],
    ['&timeline_kind=unlinked_video', []],
    ['&species_id=1', []],
  ])('by month with %s, has the counts %j', async (filter, visits) => {
    const { body } = await getBuckets(query, `${winter}&by=month${filter}`);
    expect(body.map((bucket: { visits: number }) => bucket.visits)).toEqual(visits);
  });

  it('with a window that begins and ends within days, counts the visits that start in it', async () => {
    const { body } = await getBuckets(
      query,
      'start_time=2026-01-01T08:30:00Z&end_time=2026-02-04T09:00:00Z&by=month',
    );
    expect(body.map(({ visits }: { visits: number }) => visits)).toEqual([2, 1]);
  });

  it('after a new visit, counts it at once', async () => {
    const parameters = 'start_time=2024-01-01T00:00:00Z&end_time=2024-02-01T00:00:00Z';
    expect((await getBuckets(query, parameters)).body).toEqual([]);
    await query.post(aRecording({ start: Date.parse('2024-01-05T08:00:00Z') }));
    expect((await getBuckets(query, parameters)).body).toHaveLength(1);
  });

  it('with an audio-only parent species, counts it with the visit of its child', async () => {
    const start = Date.parse('2023-05-01T08:00:00Z');
    const heard = aDetection({ speciesName: 'Bird', source: 'audio', trackId: 'heard' });
    await query.post(
      aRecording({ start, detections: [aDetection({ startOffset: 0, endOffset: 8 }), heard] }),
    );
    const filter = `species_id=${await speciesIdOf(query, 'Bird')}`;
    const listed = (await getTimeline(query, `date=2023-05-01&${filter}`)).body;
    const { body } = await getBuckets(query, `${window(start - day, start + day)}&${filter}`);
    expect(listed).toHaveLength(1);
    expect(body).toMatchObject([{ visits: listed.length }]);
  });

  it.each([
    ['', 'start_time'],
    ['start_time=1', 'end_time'],
    ['start_time=2&end_time=1', 'end_time'],
    ['start_time=0&end_time=1&by=week', 'by'],
    ['start_time=0&end_time=1&group=fish', 'group'],
    [window(0, 7_321 * day), 'end_time'],
    [`${window(0, 36_601 * day)}&by=month`, 'end_time'],
  ])('with %s, is refused for %s', async (parameters, path) => {
    const { status, body } = await getBuckets(query, parameters);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });

  it.each([
    ['day', 'start_time=9990-01-01T00:00:00Z&end_time=9999-12-31T23:59:59Z'],
    ['day', 'start_time=0001-01-01T00:00:00Z&end_time=0010-01-01T00:00:00Z&min_confidence=0.1'],
    ['month', 'start_time=9950-01-01T00:00:00Z&end_time=9999-12-31T23:59:59Z&species_id=1'],
  ])('by %s at the edge of the calendar, %s, returns 200', async (by, parameters) => {
    expect(await getBuckets(query, `${parameters}&by=${by}`)).toMatchObject({ status: 200, body: [] });
  });
});

const zones = [
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Havana',
];
const speciesNames = ['Great Tit', 'European Robin', 'Bird', 'Eurasian Red Squirrel', 'Tits and Chickadees'];

/** Starts within 14 months around the clock changes of 2026, often close to one. */
const anyStart = fc.oneof(
  fc.integer({ min: Date.UTC(2025, 11, 1), max: Date.UTC(2027, 0, 31) }),
  fc
    .tuple(
      fc.constantFrom(Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25)),
      fc.integer({ min: -2_000, max: 2_000 }),
    )
    .map(([change, minutes]) => change + minutes * minute),
);
const anyVisit = fc.record({
  start: anyStart,
  speciesName: fc.constantFrom(...speciesNames),
  source: fc.constantFrom('video' as const, 'audio' as const),
});

describe('buckets and the list of all visits', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  async function beginIn(timezone: string): Promise<void> {
    const { pool } = query.database;
    await pool.query(
      'TRUNCATE video, species_visit, visit_day, visit_month, species_total, hub_counter, outbox CASCADE',
    );
    const { notifier } = query;
    const directory = createSpeciesDirectory(pool);
    await rebuildVisits({ pool, directory, notifier }, { rule: { gapMs: minute, timezone } });
    await query.setSettings({ general: { timezone } });
    await query.notify({ kind: 'everything' });
  }

  interface Visit {
    readonly start: Date;
    readonly species: number;
    readonly counted: boolean;
    readonly group: string;
    readonly found: number[];
    readonly sources: string[];
  }

  const readVisits = async (): Promise<Visit[]> =>
    (
      await query.database.pool.query<Visit>(`
        SELECT visit.start_time AS start, visit.species_id AS species, species_group AS group,
          NOT generic AND species_group = 'bird' AS counted,
          array_agg(detection.species_id) AS found, array_agg(source) AS sources
        FROM species_visit visit JOIN species ON species.id = visit.species_id
          JOIN detection ON visit_id = visit.id
        GROUP BY visit.id, species.id ORDER BY visit.start_time`)
    ).rows;

  /** The reference: counts visit by visit, by the day of each. */
  function countOneByOne(visits: readonly Visit[], zone: string, by: BucketStep) {
    const buckets = new Map<string, { visits: number; species: Set<number> }>();
    for (const visit of visits) {
      const { day: ofVisit } = dayWindowAt(zone, visit.start.getTime());
      const key = by === 'day' ? ofVisit : `${ofVisit.slice(0, 7)}-01`;
      const bucket = buckets.get(key) ?? { visits: 0, species: new Set() };
      bucket.visits += 1;
      if (visit.counted) bucket.species.add(visit.species);
      buckets.set(key, bucket);
    }
    return [...buckets].map(([key, bucket]) => ({
      start: new Date(startOfDay(zone, key)).toISOString(),
      visits: bucket.visits,
      species: bucket.species.size,
    }));
  }

  it.each(zones)('with any visits and window in %s, have the same counts', async (zone) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyVisit, { minLength: 4, maxLength: 12 }),
        anyStart,
        anyStart,
        fc.boolean(),
        async (posted, one, other, isWhole) => {
          await beginIn(zone);
          for (const { start, ...detection } of posted)
            await query.post(aRecording({ start, detections: [aDetection(detection)] }));
          const visits = await readVisits();
          const [first, second] = [Math.min(one, other), Math.max(one, other) + 1];
          const start = isWhole ? dayWindowAt(zone, first).start : first;
          const end = isWhole ? dayWindowAt(zone, second).end : second;
          const inWindow = visits.filter((visit) => +visit.start >= start && +visit.start < end);
          const bird = await speciesIdOf(query, 'Bird');
          const filters: [string, (visit: Visit) => boolean][] = [
            ['', () => true],
            ['&group=bird', ({ group }) => group === 'bird'],
            [`&species_id=${bird}`, ({ found }) => found.includes(bird)],
            [
              `&species_id=${bird}&group=other_animal`,
              ({ found, group }) => found.includes(bird) && group === 'other_animal',
            ],
            ['&source=audio', ({ sources }) => sources.includes('audio')],
          ];
          for (const by of ['day', 'month'] as const)
            for (const [filter, passes] of filters) {
              const { body } = await getBuckets(query, `${window(start, end)}&by=${by}${filter}`);
              expect([by, filter, body]).toEqual([
                by,
                filter,
                countOneByOne(inWindow.filter(passes), zone, by),
              ]);
            }
        },
      ),
      { numRuns: 5 },
    );
  });
});

describe('cutWindow', () => {
  it('any window, is cut into adjacent pieces', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyStart, anyStart, (zone, one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other) + 1];
        const { months, days, parts } = cutWindow({ start, end }, zone, 'month');
        const text = (numbers: readonly number[], at: string) =>
          `${numbers.map((number) => String(number).padStart(2, '0')).join('-')}-${at}`;
        const nextMonthOf = ([year, month]: readonly [number, number]) =>
          month === 12 ? ([year + 1, 1] as const) : ([year, month + 1] as const);
        const spans = [
          ...parts.map((part) => [part.start, part.end] as const),
          ...days.map(
            ({ from, to }) => [startOfDay(zone, from), dayWindowAt(zone, startOfDay(zone, to)).end] as const,
          ),
          ...(months
            ? [
                [
                  startOfDay(zone, text(months.first, '01')),
                  startOfDay(zone, text(nextMonthOf(months.last), '01')),
                ] as const,
              ]
            : []),
        ].sort(([first], [second]) => first - second);
        expect(spans[0]?.[0]).toBe(start);
        expect(spans.at(-1)?.[1]).toBe(end);
        for (const [at, [from]] of spans.slice(1).entries()) expect(from).toBe(spans[at]?.[1]);
      }),
    );
  });
});

const tenYearsOfDays = `
  INSERT INTO visit_day (day, species_id, visits, individuals, video_visits, detections, seconds)
  SELECT day, kind.id, 3, 4, 2, 9, 60 FROM generate_series('2016-01-01'::date, '2025-12-31', '1 day') day,
    (SELECT id FROM species WHERE rank = 'species' AND NOT generic ORDER BY id LIMIT 20) kind`;

describe('GET /timeline/buckets on ten years', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery({ responseCacheMb: 0 });
    await writeUnchecked(query.database.pool, tenYearsOfDays);
    await query.database.pool.query('ANALYZE visit_day, species');
  });
  afterAll(() => query.close());

  const tenYears = 'start_time=2016-01-01T00:00:00Z&end_time=2026-01-01T00:00:00Z';

  it('by day, has every day and takes one statement', async () => {
    const { body } = await getBuckets(query, tenYears);
    expect(body).toHaveLength(3_653);
    expect(body[0]).toEqual({ start: '2016-01-01T00:00:00.000Z', visits: 60, species: 20 });
    expect(await query.countStatements(`/api/ui/timeline/buckets?${tenYears}`)).toBe(1);
  });

  it('for whole days, reads no visit and no detection', async () => {
    const bounds = [new Date(0), new Date(1), null, null, null, null, ['2016-01-01'], ['2016-03-01']];
    const plan = await readPlan(query.database.pool, rollupBucketsSql('day', []), [...bounds, [], [], []]);
    expect(plan).not.toMatch(/Seq Scan on (visit_day|visit_month|species_visit|detection)\b/);
  });
});
