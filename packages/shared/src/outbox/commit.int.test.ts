import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../db/index.js';
import { commit, outboxRow } from './commit.js';

const motion = (requestId: string) =>
  outboxRow('hub.v1.motion.notified', 'motion', { notified_at: '2026-05-01T06:00:00.000Z' }, requestId);

describe('commit', () => {
  let database: TestDatabase;
  let announced: string[];
  const notifier = {
    notify: ({ kind }: Change) => void announced.push(kind),
    wake: () => void announced.push('wake'),
  };
  const published = async () => {
    const { rows } = await database.pool.query('SELECT request_id FROM outbox ORDER BY id');
    return rows.map((row) => row.request_id);
  };

  beforeEach(async () => {
    announced = [];
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('events and changes, are written and announced after the commit', async () => {
    const { pool } = database;
    const result = await commit({ pool, notifier }, async ({ client, publish, changed }) => {
      changed({ kind: 'species' }, { kind: 'foods' });
      publish(motion('a'));
      publish(motion('b'));
      await client.query('SELECT 1');
      expect(announced).toEqual([]);
      return 7;
    });
    expect([result, announced, await published()]).toEqual([7, ['species', 'foods'], ['a', 'b']]);
  });

  it('events without changes, wake this process only', async () => {
    await commit({ pool: database.pool, notifier }, async ({ publish }) => publish(motion('a')));
    expect([announced, await published()]).toEqual([['wake'], ['a']]);
  });

  it('work without events and changes, announces nothing', async () => {
    await commit({ pool: database.pool, notifier }, async ({ client }) => client.query('SELECT 1'));
    expect([announced, await published()]).toEqual([[], []]);
  });

  it('failed work, announces nothing', async () => {
    const work = commit({ pool: database.pool, notifier }, async ({ publish, changed }) => {
      publish(motion('a'));
      changed({ kind: 'species' });
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect([announced, await published()]).toEqual([[], []]);
  });

  it('a failed commit, announces nothing', async () => {
    await database.pool.query(
      'CREATE TABLE later (id int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO later VALUES (1)',
    );
    const work = commit({ pool: database.pool, notifier }, async ({ client, publish, changed }) => {
      publish(motion('a'));
      changed({ kind: 'species' });
      await client.query('INSERT INTO later VALUES (1)');
    });
    await expect(work).rejects.toThrow('later_id_key');
    expect([announced, await published()]).toEqual([[], []]);
  });
});
