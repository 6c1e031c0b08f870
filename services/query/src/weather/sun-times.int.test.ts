import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { SunTimesSchema } from './weather.schema.js';

const lordHowe = { latitude: '-31.55', longitude: '159.08' };

describe('GET /sun-times', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());
  const get = (date?: string) => query.get(`/api/ui/sun-times${date === undefined ? '' : `?date=${date}`}`);

  it('without a place in the settings, is empty', async () => {
    expect((await get('2026-06-21')).body).toEqual({});
  });

  it('with a place and a zone, is for the day of that zone', async () => {
    await query.setSettings({ general: { timezone: 'Australia/Lord_Howe' }, secrets: lordHowe });
    const { status, body } = await get('2026-01-15');
    expect(status).toBe(200);
    expectShape(SunTimesSchema, body);
    expect(Object.keys(body)).toEqual(['dawn', 'sunrise', 'noon', 'sunset', 'dusk']);
    expect(body).toMatchObject({
      sunrise: expect.stringMatching(/^2026-01-14T18:3\d:\d\d\.\d{3}Z$/),
      sunset: expect.stringMatching(/^2026-01-15T08:3\d:\d\d\.\d{3}Z$/),
    });
  });

  it('without a date, is for today in the zone of the hub, and for tomorrow after its midnight', async () => {
    query.clock.set(Date.parse('2026-01-15T12:59:59Z'));
    const { body } = await get();
    expect(body).toEqual((await get('2026-01-15')).body);
    query.clock.set(Date.parse('2026-01-15T13:00:00Z'));
    expect((await get()).body).toEqual((await get('2026-01-16')).body);
  });

  it('after a change of the place, is for the new one', async () => {
    const { body } = await get('2026-06-21');
    await query.setSettings({ secrets: { latitude: '78.2', longitude: '15.6' } });
    const polar = (await get('2026-06-21')).body;
    expectShape(SunTimesSchema, polar);
    expect([body.sunset, polar.sunset]).toEqual([expect.any(String), null]);
  });

  it.each(['2026-02-30', '2026-13-01', '20260101', 'today', '', '2026-1-1'])(
    'for the date %j, is refused naming the parameter',
    async (date) => {
      const { status, body } = await get(date);
      expect([status, body.code, body.details]).toEqual([
        400,
        'invalid_request',
        [{ path: 'date', message: 'must be a day, YYYY-MM-DD' }],
      ]);
    },
  );

  it('for any day, takes no statement', async () => {
    expect(await query.countStatements('/api/ui/sun-times?date=2026-03-03')).toBe(0);
  });
});
