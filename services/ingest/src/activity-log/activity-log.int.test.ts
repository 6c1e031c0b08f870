import { hubActivityTypes } from '@birdhub/domain/activity';
import { callerTokenHeader, writeCallerToken } from '@birdhub/shared/app';
import { systemClock } from '@birdhub/shared/time';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';
import { ActivityLogStore } from './activity-log.store.js';

describe('POST /activity_log', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  const post = (body: unknown, headers?: object) => hub.post('/activity_log', body, headers);
  const rowOf = async (id: number) =>
    (
      await hub.rows<{ type: string; data: unknown }>(
        `SELECT type, data FROM processor_activity WHERE id = $1
         UNION ALL SELECT 'heartbeat', data FROM processor_heartbeat WHERE id = $1`,
        [id],
      )
    )[0];

  it('without id, writes a row and its event', async () => {
    const response = await post(
      { type: 'log', data: { lines: ['a'] }, extra: 1 },
      { 'x-request-id': 'log-1' },
    );
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ message: 'success', id: expect.any(Number) });
    expect(await rowOf(response.body.id)).toEqual({ type: 'log', data: { lines: ['a'] } });
    const [event] = await hub.rows(
      'SELECT subject, request_id, payload FROM outbox ORDER BY id DESC LIMIT 1',
    );
    expect(event).toMatchObject({
      subject: 'hub.v1.processor.reported',
      request_id: 'log-1',
      payload: { activity_id: response.body.id, type: 'log' },
    });
  });

  it('with its id, updates the row', async () => {
    const { body } = await post({ type: 'status', data: 1, id: null });
    const again = await post({ type: 'status', data: [2], id: body.id });
    expect(again).toMatchObject({ status: 200, body: { id: body.id } });
    expect(await rowOf(body.id)).toEqual({ type: 'status', data: [2] });
  });

  it('with an unknown id, is 404 and writes nothing', async () => {
    const rows = await hub.countRows();
    const response = await post({ type: 'status', data: {}, id: 987_654 });
    expect(response).toMatchObject({ status: 404, body: { code: 'activity_not_found' } });
    expect(await hub.countRows()).toEqual(rows);
  });

  it('a heartbeat with an unknown id, is created with that id', async () => {
    const made = await post({ type: 'heartbeat', data: { n: 1 }, id: 5_000 });
    const again = await post({ type: 'heartbeat', data: { n: 2 }, id: 5_000 });
    expect([made, again]).toMatchObject([
      { status: 201, body: { id: 5_000 } },
      { status: 200, body: { id: 5_000 } },
    ]);
    expect(await rowOf(5_000)).toEqual({ type: 'heartbeat', data: { n: 2 } });
  });

  it('new heartbeats, skip the ids of heartbeats created just ahead of the sequence', async () => {
    const { body } = await post({ type: 'heartbeat', data: 0 });
    const ahead = [1, 2, 4].map((by) => body.id + by);
    for (const id of ahead) await post({ type: 'heartbeat', data: 'kept', id });
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => post({ type: 'heartbeat', data: 'new' })),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(12).fill(201));
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(12);
    const kept = await hub.rows('SELECT data FROM processor_heartbeat WHERE id = ANY ($1)', [ahead]);
    expect(kept).toEqual(Array(3).fill({ data: 'kept' }));
  });

  it('a new heartbeat, skips a block of taken ids at once', async () => {
    const { body } = await post({ type: 'heartbeat', data: 0 });
    await hub.database.pool.query(
      `INSERT INTO processor_heartbeat (id, data)
       SELECT n, '{}' FROM generate_series($1::bigint, $1::bigint + 199) n`,
      [body.id + 1],
    );
    await hub.database.pool.query(
      `CREATE SEQUENCE attempt;
       CREATE FUNCTION count_attempt() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM nextval(''attempt''); RETURN NULL; END';
       CREATE TRIGGER attempts BEFORE INSERT ON processor_heartbeat EXECUTE FUNCTION count_attempt()`,
    );
    expect((await post({ type: 'heartbeat', data: 1 })).body.id).toBe(body.id + 201);
    expect(await hub.rows('SELECT last_value FROM attempt')).toEqual([{ last_value: 2 }]);
    await hub.database.pool.query('DROP TRIGGER attempts ON processor_heartbeat');
  });

  it('a heartbeat with the greatest id, leaves the next ids small enough to be posted again', async () => {
    const greatest = 1_000_000_000_000;
    expect((await post({ type: 'heartbeat', data: {}, id: greatest })).status).toBe(201);
    const { body } = await post({ type: 'heartbeat', data: {} });
    expect(body.id).toBeLessThan(greatest);
    expect((await post({ type: 'heartbeat', data: {}, id: body.id })).status).toBe(200);
  });

  it('a heartbeat with the id of another row, leaves that row unchanged', async () => {
    const { body } = await post({ type: 'log', data: 'kept' });
    expect((await post({ type: 'heartbeat', data: {}, id: body.id })).status).toBeLessThan(300);
    expect((await post({ type: 'log', data: 'changed', id: body.id })).status).toBe(200);
    expect(await hub.rows('SELECT data FROM processor_activity WHERE id = $1', [body.id])).toEqual([
      { data: 'changed' },
    ]);
  });

  it('a row with the id of a heartbeat, is 404 and leaves the heartbeat unchanged', async () => {
    await post({ type: 'heartbeat', data: 'kept', id: 70_000 });
    expect(await post({ type: 'log', data: 'changed', id: 70_000 })).toMatchObject({ status: 404 });
    expect(await rowOf(70_000)).toEqual({ type: 'heartbeat', data: 'kept' });
  });

  it('heartbeats with the next ids of the hub, leave its own log writable and unchanged', async () => {
    const note = () =>
      hub.rows<{ id: number }>(
        `INSERT INTO activity_log (type, data) VALUES ('settings_change', '{}') RETURNING id`,
      );
    const [first] = await note();
    const id = first?.id ?? 0;
    for (const by of [0, 1, 2]) await post({ type: 'heartbeat', data: 'forged', id: id + by });
    await post({ type: 'log', data: 'forged', id });
    await note();
    expect(await hub.rows('SELECT type, data FROM activity_log ORDER BY id')).toEqual(
      Array(2).fill({ type: 'settings_change', data: {} }),
    );
  });

  it('the same lost heartbeat, from twenty connections at once, is one row', async () => {
    const beats = Array.from({ length: 20 }, () => post({ type: 'heartbeat', data: {}, id: 60_000 }));
    const statuses = (await Promise.all(beats)).map((response) => response.status);
    expect(statuses.sort()).toEqual([...Array(19).fill(200), 201]);
  });

  describe('with a token that is limited to cameras', () => {
    const tokenOf = (name: string) => ({
      [callerTokenHeader]: writeCallerToken({ name, cameras: ['garden'] }),
    });

    it('and the id of its own row, updates the row', async () => {
      for (const type of ['status', 'heartbeat']) {
        const { body } = await post({ type, data: { n: 1 } }, tokenOf('own'));
        const again = await post({ type, data: { n: 2 }, id: body.id }, tokenOf('own'));
        expect(again).toMatchObject({ status: 200, body: { id: body.id } });
      }
    });

    it.each([
      ['without a token', {}],
      ['with another token', tokenOf('other')],
    ])('and the id of a row written %s, is 404', async (_name, headers) => {
      const { body } = await post({ type: 'status', data: 1 }, headers);
      const response = await post({ type: 'status', data: 2, id: body.id }, tokenOf('own'));
      expect(response).toMatchObject({ status: 404, body: { code: 'activity_not_found' } });
      expect(await rowOf(body.id)).toEqual({ type: 'status', data: 1 });
    });

    it('and a heartbeat with the id of another processor, gets a row of its own', async () => {
      const { body } = await post({ type: 'heartbeat', data: { n: 1 } }, tokenOf('other'));
      const response = await post({ type: 'heartbeat', data: { n: 2 }, id: body.id }, tokenOf('own'));
      expect(response.status).toBe(201);
      expect(response.body.id).not.toBe(body.id);
      expect(await rowOf(body.id)).toMatchObject({ data: { n: 1 } });
      expect(await rowOf(response.body.id)).toMatchObject({ data: { n: 2 } });
    });
  });

  it('data that PostgreSQL cannot store, is stored as far as possible', async () => {
    const deep = `${'['.repeat(15_000)}${']'.repeat(15_000)}`;
    const { status, body } = await post(`{"type":"odd","data":{"a\\u0000":"\\ud800","deep":${deep}}}`);
    expect(status).toBe(201);
    expect((await rowOf(body.id))?.data).toMatchObject({ 'a\ufffd': '\ufffd' });
  });

  it.each<readonly [string, object, string]>([
    ['without type', { data: 1 }, '/type'],
    ...hubActivityTypes.map(
      (type) => [`of the type ${type}, which the hub writes,`, { type, data: {} }, '/type'] as const,
    ),
    ['of a type of the hub in other letters', { type: ' Feed_Dispense', data: {} }, '/type'],
    ['of a type of the hub and with an id', { type: 'feed_dispense', data: {}, id: 1 }, '/type'],
    ['without data', { type: 'x' }, '/data'],
    ['with an empty type', { type: '', data: 1 }, '/type'],
    ['with NUL in its type', { type: 'a\0', data: 1 }, '/type'],
    ['with half a character for a type', { type: '\ud800', data: 1 }, '/type'],
    ['with a type of 65 characters', { type: 'x'.repeat(65), data: 1 }, '/type'],
    ['with id 0', { type: 'x', data: 1, id: 0 }, '/id'],
    ['with half an id', { type: 'x', data: 1, id: 1.5 }, '/id'],
    ['with an id in a text', { type: 'x', data: 1, id: '1' }, '/id'],
    ['with an id beyond what a number holds', { type: 'x', data: 1, id: 2 ** 53 }, '/id'],
  ])('%s, is refused and nothing is stored', async (_, body, path) => {
    const rows = await hub.countRows();
    const response = await post(body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', details: [{ path }] } });
    expect(response.body.details).toHaveLength(1);
    expect(await hub.countRows()).toEqual(rows);
  });

  it('data of exactly 64 KB, is accepted, and one byte more is 413', async () => {
    const dataOf = (bytes: number) => 'ü'.repeat((bytes - 2) / 2);
    const responses = [
      await post({ type: 'x', data: dataOf(65_536) }),
      await post({ type: 'x', data: `${dataOf(65_536)}.` }),
      await post({ type: 'x', data: dataOf(1_000_000) }),
    ];
    expect(responses.map((response) => response.status)).toEqual([201, 413, 413]);
    expect(responses[1]?.body).toMatchObject({ code: 'payload_too_large', details: [{ path: '/data' }] });
  });
});

describe('POST /activity_log, the limits of stored rows', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  afterAll(() => hub.close());

  /** Adds rows that were updated a minute apart, the oldest first. */
  const fill = (table: string, type: string, count: number, data: string) =>
    hub.database.pool.query(
      `INSERT INTO ${table} (${type}data, updated_at)
       SELECT ${type && "'log', "}${data}, now() - (${count} - n) * interval '1 minute' - interval '1 hour'
       FROM generate_series(1, ${count}) n`,
    );
  const postOften = (type: string) =>
    Promise.all(Array.from({ length: 100 }, () => hub.post('/activity_log', { type, data: {} })));

  it.each([
    ['processor_activity', 'log', 'type, '],
    ['processor_heartbeat', 'heartbeat', ''],
  ])(
    'rows of %s beyond 50,000 or 128 MB, are deleted after 100 more, the oldest first',
    async (table, type, column) => {
      const count = async () =>
        (
          await hub.rows<{ count: number }>(
            `SELECT count(*)::int FROM ${table} WHERE updated_at < now() - interval '1 hour'`,
          )
        )[0]?.count;
      await fill(table, column, 50_010, `'{}'`);
      const [oldest] = await hub.rows<{ id: number }>(`SELECT id FROM ${table} ORDER BY updated_at LIMIT 1`);
      await postOften(type);
      await vi.waitFor(async () => expect(await count()).toBeLessThanOrEqual(50_000), 10_000);
      expect(await hub.rows(`SELECT FROM ${table} WHERE id = $1`, [oldest?.id])).toEqual([]);
      await hub.database.pool.query(
        `TRUNCATE ${table}; ALTER TABLE ${table} ALTER COLUMN data SET STORAGE EXTERNAL`,
      );
      await fill(table, column, 140, `to_jsonb(repeat('x', 1000000))`);
      await postOften(type);
      await vi.waitFor(async () => expect(await count()).toBe(134), 10_000);
    },
  );

  it('while surplus rows cannot be deleted, rows are written nonetheless', async () => {
    const { pool } = hub.database;
    const failing = Object.assign(Object.create(pool) as typeof pool, {
      query: () => Promise.reject(new Error('statement timeout')),
    });
    const store = new ActivityLogStore({
      pool: failing,
      notifier: { notify: () => undefined, wake: () => undefined },
      clock: systemClock,
      log: pino({ level: 'silent' }),
    });
    const row = {
      type: 'log',
      data: '{}',
      id: undefined,
      requestId: 'test',
      tokenName: undefined,
      isLimited: false,
    };
    expect(await store.write(row)).toMatchObject({ created: true });
    await store.stop();
  });
});

describe('POST /activity_log, commands in the response to a heartbeat', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  beforeEach(async () => {
    await hub.database.pool.query('TRUNCATE processor_command, processor_heartbeat');
  });
  afterAll(() => hub.close());

  async function addCommand(type: string, expiresIn = '10 minutes'): Promise<number> {
    const [row] = await hub.rows<{ id: number }>(
      'INSERT INTO processor_command (type, expires_at) VALUES ($1, now() + $2::interval) RETURNING id',
      [type, expiresIn],
    );
    return row?.id ?? 0;
  }

  const beat = async (data: unknown, id?: number) =>
    (await hub.post('/activity_log', { type: 'heartbeat', data, id })).body;

  it('when pending, are returned each time, in order, without expired ones', async () => {
    await addCommand('restart', '-1 second');
    const waiting = [await addCommand('restart'), await addCommand('rescan')];
    const first = await beat({});
    const second = await beat({}, first.id);
    const expected = [
      { id: waiting[0], type: 'restart' },
      { id: waiting[1], type: 'rescan' },
    ];
    expect([first.commands, second.commands]).toEqual([expected, expected]);
  });

  it('when none are pending, are an empty list, and absent for other types of row', async () => {
    expect((await beat({})).commands).toEqual([]);
    await addCommand('restart');
    expect((await hub.post('/activity_log', { type: 'log', data: {} })).body).not.toHaveProperty('commands');
  });

  it('named in acked_commands, are not returned again', async () => {
    const [restart, rescan] = [await addCommand('restart'), await addCommand('rescan')];
    expect((await beat({ acked_commands: [restart] })).commands).toEqual([{ id: rescan, type: 'rescan' }]);
    expect((await beat({ acked_commands: [rescan, 4_711] })).commands).toEqual([]);
  });

  it.each([
    [{ acked_commands: 'all' }],
    [{ acked_commands: [null, {}, [], 'x', 1e300] }],
    [[]],
    ['text'],
    [null],
    [7],
  ])('acknowledged by invalid data like %j, stay pending', async (data) => {
    const id = await addCommand('rescan');
    expect((await beat(data)).commands).toEqual([{ id, type: 'rescan' }]);
  });

  it('restart, after another start in the same row, is done, and other commands stay pending', async () => {
    const row = await beat({ started_at: '10:00' });
    await addCommand('restart');
    const rescan = await addCommand('rescan');
    expect((await beat({ started_at: '10:00' }, row.id)).commands).toHaveLength(2);
    expect((await beat({ started_at: '10:05' }, row.id)).commands).toEqual([{ id: rescan, type: 'rescan' }]);
  });

  it('restart, after another start of a processor that lost its row, is done', async () => {
    await beat({ started_at: '10:00' });
    await addCommand('restart');
    expect((await beat({ started_at: '10:00' })).commands).toHaveLength(1);
    expect((await beat({ started_at: '10:05' })).commands).toEqual([]);
  });

  it.each([
    ['token', {}, {}],
    ['camera', { camera_id: 'garden' }, { camera_id: 'pond' }],
    ['host', { host: 'one' }, { host: 'two' }],
  ])(
    'restart, in heartbeats without id of two processors that differ by %s, stays pending',
    async (by, one, two) => {
      const send = async (name: string, data: object) => {
        const headers =
          by === 'token' ? { [callerTokenHeader]: writeCallerToken({ name, cameras: undefined }) } : {};
        return (await hub.post('/activity_log', { type: 'heartbeat', data }, headers)).body.commands;
      };
      await send('one', { ...one, started_at: '10:00' });
      await addCommand('restart');
      expect(await send('two', { ...two, started_at: '09:00' })).toHaveLength(1);
      expect(await send('one', { ...one, started_at: '10:00' })).toHaveLength(1);
      expect(await send('one', { ...one, started_at: '10:05' })).toEqual([]);
    },
  );

  it('restart, after 500 heartbeats of other processors, stays pending', async () => {
    await beat({ host: 'one', started_at: '10:00' });
    await addCommand('restart');
    await hub.database.pool.query(
      `INSERT INTO processor_heartbeat (data) SELECT '{"host":"two"}' FROM generate_series(1, 500)`,
    );
    expect((await beat({ host: 'one', started_at: '10:05' })).commands).toHaveLength(1);
  });

  it('restart, without a start in the row or in the heartbeat, stays pending', async () => {
    const row = await beat({});
    await addCommand('restart');
    expect((await beat({ started_at: '10:00' }, row.id)).commands).toHaveLength(1);
    expect((await beat({}, row.id)).commands).toHaveLength(1);
  });

  it('restart, in a heartbeat created with its id after a restored backup, stays pending', async () => {
    await addCommand('restart');
    expect((await beat({ started_at: '10:00' }, 900)).commands).toHaveLength(1);
  });
});

describe('POST /activity_log, the uptime of processors', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
  });
  beforeEach(async () => {
    await hub.database.pool.query('TRUNCATE processor_uptime, processor_heartbeat');
  });
  afterAll(() => hub.close());

  const beat = (type = 'heartbeat') => hub.post('/activity_log', { type, data: {} });
  const stretches = () =>
    hub.rows<{ seconds: number }>(
      'SELECT extract(epoch FROM ended_at - started_at) AS seconds FROM processor_uptime ORDER BY started_at',
    );
  const past = (started: string, ended: string) =>
    hub.database.pool.query(
      'INSERT INTO processor_uptime VALUES (now() - $1::interval, now() - $2::interval)',
      [started, ended],
    );

  it('a first heartbeat, begins a period, and rows of other types do not', async () => {
    await beat('log');
    expect(await stretches()).toEqual([]);
    await beat();
    expect(await stretches()).toEqual([{ seconds: 0 }]);
  });

  it('a heartbeat within five minutes, extends the period', async () => {
    await past('1 hour', '4 minutes 50 seconds');
    await beat();
    const [stretch, ...others] = await stretches();
    expect(others).toEqual([]);
    expect(stretch?.seconds).toBeGreaterThanOrEqual(3_600);
    expect(stretch?.seconds).toBeLessThan(3_605);
  });

  it('a heartbeat after five minutes of silence, begins another period', async () => {
    await past('1 hour', '5 minutes 1 second');
    await beat();
    expect((await stretches()).map(({ seconds }) => Math.round(seconds))).toEqual([3_299, 0]);
  });

  it('heartbeats within ten seconds, are written only once', async () => {
    const version = async () =>
      (await hub.rows<{ v: string }>('SELECT xmin::text AS v FROM processor_uptime'))[0]?.v;
    await beat();
    const before = await version();
    await Promise.all(Array.from({ length: 10 }, () => beat()));
    expect(await version()).toBe(before);
  });
});
