import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { BirdFoodSchema, FoodAddedSchema, FoodToggledSchema } from './bird-food.schema.js';

describe('foods', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  const list = async () => {
    const { status, body } = await query.get('/api/ui/birdfood');
    expect(status).toBe(200);
    expectShape(Type.Array(BirdFoodSchema), body);
    return body as { id: number; name: string; active: boolean }[];
  };
  const add = (body: object) => query.change('POST', '/api/ui/birdfood', body);
  const toggle = (id: number) => query.change('PATCH', `/api/ui/birdfood/${id}/toggle`);

  it('of a new hub, are ten common ones that are not offered', async () => {
    const foods = await list();
    expect(foods).toHaveLength(10);
    expect(foods.filter((food) => food.active)).toEqual([]);
    expect(foods.map((food) => food.name)).toContain('Sunflower seeds');
  });

  it('one that is added, is offered and listed at once', async () => {
    const { status, body, headers } = await add({ name: '  Raisins ' });
    expectShape(FoodAddedSchema, body);
    expect([status, headers['x-hub-consistency-token']]).toEqual([201, expect.any(String)]);
    expect(await list()).toContainEqual({
      id: body.id,
      name: 'Raisins',
      active: true,
      description: null,
      image_url: null,
    });
  });

  it('one with all fields, is listed as given, with its picture relative to the hub', async () => {
    const food = { name: 'Oats', active: false, description: 'Rolled', image_url: '/pictures/oats.jpg' };
    const { body } = await add(food);
    expect(await list()).toContainEqual({ id: body.id, ...food, image_url: 'pictures/oats.jpg' });
  });

  it.each(['raisins', ' RAISINS', 'sunflower Seeds'])(
    '%j, with the name of another food, is refused',
    async (name) => {
      const { status, body } = await add({ name });
      expect([status, body.code]).toEqual([409, 'conflict']);
    },
  );

  it('one name, added ten times at once, is added once', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => add({ name: 'Cheese' })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it.each([
    [{}, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ name: 'a', colour: 'red' }, '/colour'],
    [{ name: 'a', active: 'yes' }, '/active'],
    [{ name: 'a', description: 'a\0b' }, '/description'],
    [{ name: 'a', description: 'a\ud800' }, '/description'],
    [{ name: 'a', image_url: 'javascript:alert(1)' }, '/image_url'],
    [{ name: 'a', image_url: '//other.example/x.png' }, '/image_url'],
    [{ name: 'a', image_url: '/\\other.example' }, '/image_url'],
    [{ name: 'a', image_url: 'ftp://other.example/x.png' }, '/image_url'],
    [{ name: 'a', image_url: 'https:// x' }, '/image_url'],
  ])('%j, is refused naming the field', async (given, path) => {
    const { status, body } = await add(given);
    expect([status, body.details?.[0]?.path]).toEqual([400, path]);
  });

  it('one that is toggled, is linked with recordings only while it is offered', async () => {
    const { body: added } = await add({ name: 'Apples', active: false });
    const { status, body, headers } = await toggle(added.id);
    expectShape(FoodToggledSchema, body);
    expect([status, body]).toEqual([200, { message: 'success', id: added.id, active: true }]);
    expect(headers['x-hub-consistency-token']).toEqual(expect.any(String));
    expect((await list()).find(({ id }) => id === added.id)?.active).toBe(true);
    const offered = async (start: number) => {
      const { videoId } = await query.post({ start });
      const { food } = (await query.get(`/api/ui/videos/${videoId}`)).body;
      return food.some(({ id }: { id: number }) => id === added.id);
    };
    expect(await offered(Date.now() + 1_000)).toBe(true);
    expect(await offered(Date.now() - 3_600_000)).toBe(false);
    expect((await toggle(added.id)).body.active).toBe(false);
    expect(await offered(Date.now() + 2_000)).toBe(false);
  });

  it.each([20, 21])('one toggled %d times at once, alternates', async (times) => {
    const { body } = await add({ name: `Alternating ${times}`, active: false });
    const replies = await Promise.all(Array.from({ length: times }, () => toggle(body.id)));
    const offered = replies.filter((reply) => reply.body.active).length;
    expect([offered, times - offered]).toEqual([Math.ceil(times / 2), Math.floor(times / 2)]);
    expect((await list()).find(({ id }) => id === body.id)?.active).toBe(times % 2 === 1);
  });

  it('one that was offered in the future by another clock, is toggled off and on', async () => {
    const { body } = await add({ name: 'Quick' });
    await query.database.pool.query(
      `UPDATE food_period SET started_at = clock_timestamp() + interval '1 hour' WHERE food_id = $1`,
      [body.id],
    );
    expect((await toggle(body.id)).body.active).toBe(false);
    expect((await toggle(body.id)).body.active).toBe(true);
  });

  it.each([999_999, Number.MAX_SAFE_INTEGER])('the unknown id %d, is 404', async (id) => {
    const { status, body } = await toggle(id);
    expect([status, body.code]).toEqual([404, 'food_not_found']);
  });

  it('read again, take no statement', async () => {
    await list();
    expect(await query.countStatements('/api/ui/birdfood')).toBe(0);
  });
});

describe('GET /feed/info', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());

  const info = async () => (await query.get('/api/ui/feed/info')).body;

  it('on a hub without a feeder, has the source none', async () => {
    expect(await info()).toEqual({ feed_source: 'none', last_dispense_at: null, cooldown_seconds: 30 });
  });

  it('with a feeder, has the time of its last portion', async () => {
    await query.setSettings({ feed: { source: 'esphome', cooldown_seconds: 90.5 } });
    const rows = [
      ['feed_dispense', '2026-05-01T08:00:00Z'],
      ['feed_dispense', '2026-05-01T09:30:00.25Z'],
      ['heartbeat', '2026-05-01T10:00:00Z'],
    ];
    for (const row of rows)
      await query.database.pool.query(
        `INSERT INTO activity_log (type, data, updated_at) VALUES ($1, '{}', $2)`,
        row,
      );
    expect(await info()).toEqual({
      feed_source: 'esphome',
      last_dispense_at: '2026-05-01T09:30:00.25+00:00',
      cooldown_seconds: 90.5,
    });
  });
});
