import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';

describe('PUT /species/active', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  const put = (names: unknown, headers?: object) => hub.send('PUT', '/species/active', names, headers);
  const listActive = async () =>
    (await hub.rows<{ name: string }>('SELECT name FROM species WHERE active ORDER BY name')).map(
      (row) => row.name,
    );

  it('with names in any spelling, activates exactly these and writes the event', async () => {
    await put(['Coal Tit', 'Marsh Tit']);
    const before = hub.notified.length;
    const response = await put(['great-tit', 'Parus major_Great Tit', 'Coal Tit', 'Quite New Bird'], {
      'x-request-id': 'active-1',
    });
    const names = ['Coal Tit', 'Great Tit', 'Quite New Bird'];
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: 'success', active_feeder_names: names });
    expect(await listActive()).toEqual(names);
    const [event] = await hub.rows<{ payload: object }>('SELECT * FROM outbox ORDER BY id DESC LIMIT 1');
    const ids = await hub.rows<{ ids: number[] }>(
      'SELECT array_agg(id ORDER BY id) AS ids FROM species WHERE active',
    );
    expect(event).toMatchObject({
      subject: 'hub.v1.species.activated',
      request_id: 'active-1',
      payload: { active_names: 3, species_ids: ids[0]?.ids },
    });
    expect(hub.notified.slice(before)).toContainEqual({ kind: 'species' });
    expect(response.headers).toHaveProperty('x-hub-consistency-token');
  });

  it('with an empty list, changes nothing and returns the active names', async () => {
    await put(['Great Tit']);
    const rows = await hub.countRows();
    const response = await put([]);
    expect(response).toMatchObject({ status: 200, body: { active_feeder_names: ['Great Tit'] } });
    expect(await hub.countRows()).toEqual(rows);
    expect(await listActive()).toEqual(['Great Tit']);
  });

  it('from many connections at once, leaves exactly one of the lists active', async () => {
    const lists = Array.from({ length: 12 }, (_, list) =>
      Array.from({ length: 5 }, (_, at) => `Active Bird ${list} ${at}`),
    );
    await put(lists.flat());
    for (let round = 0; round < 5; round += 1) {
      await put(['Great Tit']);
      const responses = await Promise.all(lists.map((list) => put(list)));
      expect(responses.map((response) => response.status)).toEqual(lists.map(() => 200));
      const active = await listActive();
      expect(lists).toContainEqual(active);
      const [last] = await hub.rows<{ ids: number[] }>(
        `SELECT ARRAY(SELECT jsonb_array_elements(payload -> 'species_ids')::int) AS ids FROM outbox ORDER BY id DESC LIMIT 1`,
      );
      const named = await hub.rows<{ name: string }>(
        'SELECT name FROM species WHERE id = ANY ($1) ORDER BY name',
        [last?.ids],
      );
      expect(named.map((row) => row.name)).toEqual(active);
    }
  });

  it.each([
    ['an object', { names: [] }, ''],
    ['a text', 'Great Tit', ''],
    ['null', null, ''],
    ['a number among the names', ['Great Tit', 3], '/1'],
    ['an empty name', ['', 'Great Tit'], '/0'],
    ['a name that nobody sees', ['Great Tit', '\u200b'], '/1'],
    ['a name with NUL', ['Great Tit', 'a\0'], '/1'],
    ['half a character', ['\ud800'], '/0'],
    ['a name of 201 characters', ['x'.repeat(201)], '/0'],
    ['20,001 names', Array.from({ length: 20_001 }, (_, at) => `Bird ${at}`), ''],
  ])('with %s, is refused and nothing is stored', async (_, names, path) => {
    const rows = await hub.countRows();
    const active = await listActive();
    const response = await put(JSON.stringify(names));
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{ path }] } });
    expect(await hub.countRows()).toEqual(rows);
    expect(await listActive()).toEqual(active);
  });

  it('with 20,000 unknown names, creates them all', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `Bird of paradise number ${at}`);
    const { status, body } = await put(names);
    expect({ status, count: body.active_feeder_names.length }).toEqual({ status: 200, count: 20_000 });
  });
});
