import { dayNumber, dayOfNumber, dayWindow, localHour } from '@birdhub/shared/time';
import { aDetection, aRecording } from '@birdhub/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { speciesIdOf } from '../testing/timeline.js';
import { type Comparison, ComparisonSchema } from './comparison.schema.js';

const parametersOf = (from: string, to: string, otherFrom: string, otherTo: string) =>
  `start_date=${from}&end_date=${to}&other_start_date=${otherFrom}&other_end_date=${otherTo}`;

describe('GET /comparison', () => {
  let query: TestQuery;
  const zone = 'Europe/Prague';
  const starts = [
    ['2026-03-28T23:30:00+01:00', 'Great Tit'],
    ['2026-03-29T01:30:00+01:00', 'Great Tit'],
    ['2026-03-29T03:30:00+02:00', 'European Robin'],
    ['2026-03-30T08:00:00+02:00', 'Great Tit'],
    ['2026-03-30T09:00:00+02:00', 'Bird'],
    ['2026-03-30T10:00:00+02:00', 'Eurasian Red Squirrel'],
    ['2026-04-02T08:00:00+02:00', 'Eurasian Wren'],
  ] as const;
  beforeAll(async () => {
    query = await createTestQuery();
    await query.setSettings({ general: { timezone: zone } });
    for (const [at, speciesName] of starts)
      await query.post(aRecording({ start: Date.parse(at), detections: [aDetection({ speciesName })] }));
  });
  afterAll(() => query.close());

  const get = (parameters: string) => query.get(`/api/ui/comparison?${parameters}`);

  it('two periods over a clock change, have visits by species, day and hour', async () => {
    const { body } = await get(parametersOf('2026-03-29', '2026-03-30', '2026-03-28', '2026-03-28'));
    expectShape(ComparisonSchema, body);
    expect(body).toMatchObject({
      periods: [
        { start_date: '2026-03-29', end_date: '2026-03-30', visits: 3, species: 2, days: [2, 1] },
        { visits: 1, species: 1, days: [1] },
      ],
      species: [
        { name: 'Great Tit', visits: [2, 1] },
        { name: 'European Robin', visits: [1, 0] },
      ],
    });
    const [now, before] = body.periods;
    expect([now.hours[1], now.hours[3], now.hours[8], before.hours[23]]).toEqual([1, 1, 1, 1]);
    expect(body.species[0].hours.map((hours: number[]) => hours[8])).toEqual([1, 0]);
  });

  it('two periods of one family or species, have its visits and those of its descendants, also of generic birds and other animals', async () => {
    const numbersOf = async (name: string) => {
      const wanted = `species_id=${await speciesIdOf(query, name)}`;
      const days = parametersOf('2026-03-29', '2026-03-30', '2026-03-28', '2026-03-28');
      const { periods, species } = (await get(`${days}&${wanted}`)).body;
      return [
        periods.map((one: { visits: number; species: number }) => [one.visits, one.species]),
        species.map((one: { name: string }) => one.name),
      ];
    };
    const both = (first: number[], second: number[], names: string[]) => [[first, second], names];
    expect(await numbersOf('Tits, Chickadees, and Titmice')).toEqual(both([2, 1], [1, 1], ['Great Tit']));
    expect(await numbersOf('Great Tit')).toEqual(both([2, 1], [1, 1], ['Great Tit']));
    expect(await numbersOf('Squirrel')).toEqual(both([1, 1], [0, 0], ['Eurasian Red Squirrel']));
    expect(await numbersOf('Bird')).toEqual(both([1, 0], [0, 0], ['Bird']));
  });

  it('a new visit, is counted at once', async () => {
    const parameters = parametersOf('2025-01-01', '2025-01-07', '2024-12-25', '2024-12-31');
    expect((await get(parameters)).body.periods[0].visits).toBe(0);
    await query.post(aRecording({ start: Date.parse('2025-01-03T08:00:00Z') }));
    expect((await get(parameters)).body.periods.map(({ visits }: { visits: number }) => visits)).toEqual([
      1, 0,
    ]);
  });

  it('any periods, have the same counts by day, hour and species as the visits one by one', async () => {
    const first = dayNumber('2026-03-25');
    const anyPeriod = fc
      .tuple(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 5 }))
      .map(([from, days]) => ({ from: dayOfNumber(first + from), to: dayOfNumber(first + from + days) }));
    await fc.assert(
      fc.asyncProperty(anyPeriod, anyPeriod, async (one, other) => {
        const body: Comparison = (await get(parametersOf(one.from, one.to, other.from, other.to))).body;
        for (const [number, { from, to }] of [one, other].entries()) {
          const visits = starts
            .filter(([, name]) => name !== 'Bird' && name !== 'Eurasian Red Squirrel')
            .map(([at, name]) => ({ at: Date.parse(at), name }))
            .filter(({ at }) => at >= dayWindow(zone, from).start && at < dayWindow(zone, to).end);
          const period = body.periods[number];
          expect(period?.visits).toBe(visits.length);
          expect(period?.days.reduce((sum, count) => sum + count, 0)).toBe(visits.length);
          expect(period?.species).toBe(new Set(visits.map(({ name }) => name)).size);
          for (const [hour, count] of (period?.hours ?? []).entries())
            expect(count).toBe(visits.filter(({ at }) => localHour(zone, at) === hour).length);
          for (const { name, visits: counts, hours } of body.species) {
            expect(counts[number]).toBe(visits.filter((visit) => visit.name === name).length);
            expect(hours[number]?.reduce((sum, count) => sum + count, 0)).toBe(counts[number]);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['start_date=2026-01-01', 'end_date'],
    [parametersOf('2026-02-30', '2026-03-01', '2026-01-01', '2026-01-02'), 'start_date'],
    [parametersOf('2026-03-02', '2026-03-01', '2026-01-01', '2026-01-02'), 'end_date'],
    [parametersOf('2026-03-01', '2026-03-01', 'x', '2026-01-02'), 'other_start_date'],
    [parametersOf('2026-03-01', '2026-03-01', '2024-01-01', '2025-01-01'), 'other_end_date'],
  ])('%s, is refused for %s', async (parameters, path) => {
    const { status, body } = await get(parameters);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', path]);
  });

  it('two years, take one statement', async () => {
    const parameters = parametersOf('2024-01-01', '2024-12-31', '9999-12-31', '9999-12-31');
    expect((await get(parameters)).status).toBe(200);
    const other = parametersOf('2023-01-01', '2023-12-31', '0001-01-01', '0001-12-31');
    expect(await query.countStatements(`/api/ui/comparison?${other}`)).toBe(1);
  });
});
