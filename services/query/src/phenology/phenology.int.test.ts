import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { PhenologySchema, SpeciesDaysSchema } from './phenology.schema.js';

describe('GET /phenology', () => {
  let query: TestQuery;
  const post = (day: string, speciesName = 'Great Tit') =>
    query.post(
      aRecording({ start: Date.parse(`${day}T08:00:00Z`), detections: [aDetection({ speciesName })] }),
    );
  beforeAll(async () => {
    query = await createTestQuery();
    for (const day of ['2025-01-10', '2025-12-20', '2026-01-02', '2026-02-10', '2026-06-30', '2027-01-05'])
      await post(day);
    for (const day of ['2026-04-20', '2026-05-03', '2026-05-04', '2026-06-01'])
      await post(day, 'Common Swift');
    await post('2026-05-02', 'Bird');
  });
  afterAll(() => query.close());

  const get = async (year: number | string) => (await query.get(`/api/ui/phenology?year=${year}`)).body;

  it('for a year, has first and last days, stays, the best week and weeks of each species', async () => {
    const body = await get(2026);
    expectShape(PhenologySchema, body);
    expect(body).toMatchObject({
      year: 2026,
      species: [
        {
          name: 'Great Tit',
          visits: 3,
          days: 3,
          first_date: '2026-01-02',
          last_date: '2026-06-30',
          is_first_ever: false,
          stays: [
            { start_date: '2026-01-02', end_date: '2026-02-10', arrives: false, departs: true },
            { start_date: '2026-06-30', end_date: '2026-06-30', arrives: true, departs: true },
          ],
        },
        {
          name: 'Common Swift',
          visits: 4,
          is_first_ever: true,
          stays: [{ start_date: '2026-04-20', end_date: '2026-06-01', arrives: true, departs: true }],
          peak: { start_date: '2026-05-03', end_date: '2026-05-09', visits: 2 },
        },
      ],
      accumulation: [
        { date: '2026-01-02', species: 1 },
        { date: '2026-04-20', species: 2 },
      ],
    });
    const [tit] = body.species;
    expect([tit.weeks[0], tit.weeks[5], tit.weeks[25]]).toEqual([1, 1, 1]);
  });

  it('after a new visit, contains it at once', async () => {
    expect((await get(2024)).species).toEqual([]);
    await post('2024-03-01');
    expect((await get(2024)).accumulation).toEqual([{ date: '2024-03-01', species: 1 }]);
  });

  it('after the only visit of a species is deleted, has it no longer', async () => {
    const { videoId } = await post('2023-03-01', 'European Robin');
    expect((await get(2023)).species).toMatchObject([{ name: 'European Robin', is_first_ever: true }]);
    await query.change('DELETE', `/api/ui/videos/${videoId}`);
    expect(await get(2023)).toEqual({ year: 2023, species: [], accumulation: [] });
  });

  it.each([1, 9_999])('for the year %d, has no species', async (year) => {
    expect(await get(year)).toEqual({ year, species: [], accumulation: [] });
  });

  it.each(['', '0', '10000', 'x'])('for the year "%s", is refused naming the parameter', async (year) => {
    const body = await get(year);
    expect([body.code, body.details[0].path]).toEqual(['invalid_request', 'year']);
  });

  describe('/days', () => {
    const days = async (search: string) => (await query.get(`/api/ui/phenology/days?${search}`)).body;

    it('for a period, has the visits of each species on each day, without generic species', async () => {
      const body = await days('start_date=2026-05-02&end_date=2026-05-05');
      expectShape(SpeciesDaysSchema, body);
      expect(body).toMatchObject({
        start_date: '2026-05-02',
        end_date: '2026-05-05',
        species: [{ name: 'Common Swift', visits: 2, days: [0, 1, 1, 0] }],
      });
    });

    it('after a new visit of another species, lists it at once, behind those with more', async () => {
      await post('2026-05-05');
      const { species } = await days('start_date=2026-05-02&end_date=2026-05-05');
      expect(
        species.map(({ name, days: counts }: { name: string; days: number[] }) => [name, counts]),
      ).toEqual([
        ['Common Swift', [0, 1, 1, 0]],
        ['Great Tit', [0, 0, 0, 1]],
      ]);
    });

    it('for days over a clock change and without visits, is empty for the whole period', async () => {
      const body = await days('start_date=2023-03-20&end_date=2023-06-19');
      expect(body).toEqual({ start_date: '2023-03-20', end_date: '2023-06-19', species: [] });
    });

    it.each([
      ['start_date', 'start_date=2026-02-30&end_date=2026-05-05'],
      ['end_date', 'start_date=2026-05-02&end_date=x'],
      ['end_date', 'start_date=2026-05-02&end_date=2026-05-01'],
      ['end_date', 'start_date=2026-01-01&end_date=2026-04-03'],
      ['end_date', 'start_date=2026-01-01'],
    ])('with a wrong %s, is refused for it: %s', async (field, search) => {
      const body = await days(search);
      expect([body.code, body.details[0].path]).toEqual(['invalid_request', field]);
    });
  });
});
