import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestIngest, type TestIngest } from '../testing/create-test-ingest.js';

describe('POST /activity_log, commands in the answer to a heartbeat', () => {
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

  it('that wait, are given again and again, in order, without those that expired', async () => {
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

  it('when none wait, are an empty list, and rows of other types have none', async () => {
    expect((await beat({})).commands).toEqual([]);
    await addCommand('restart');
    expect((await hub.post('/activity_log', { type: 'log', data: {} })).body).not.toHaveProperty('commands');
  });

  it('that are named in acked_commands, are not given again', async () => {
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
  ])('acknowledged by nonsense like %j, still wait', async (data) => {
    const id = await addCommand('rescan');
    expect((await beat(data)).commands).toEqual([{ id, type: 'rescan' }]);
  });

  it('restart, when the same row shows another start, is done; other commands still wait', async () => {
    const row = await beat({ started_at: '10:00' });
    await addCommand('restart');
    const rescan = await addCommand('rescan');
    expect((await beat({ started_at: '10:00' }, row.id)).commands).toHaveLength(2);
    expect((await beat({ started_at: '10:05' }, row.id)).commands).toEqual([{ id: rescan, type: 'rescan' }]);
  });

  it('restart, when a processor that forgot its row shows another start, is done', async () => {
    await beat({ started_at: '10:00' });
    await addCommand('restart');
    expect((await beat({ started_at: '10:00' })).commands).toHaveLength(1);
    expect((await beat({ started_at: '10:05' })).commands).toEqual([]);
  });

  it('restart, when no start was ever shown or none is shown now, still waits', async () => {
    const row = await beat({});
    await addCommand('restart');
    expect((await beat({ started_at: '10:00' }, row.id)).commands).toHaveLength(1);
    expect((await beat({}, row.id)).commands).toHaveLength(1);
  });

  it('restart, to a heartbeat made again after a restored backup, still waits', async () => {
    await addCommand('restart');
    expect((await beat({ started_at: '10:00' }, 900)).commands).toHaveLength(1);
  });
});
