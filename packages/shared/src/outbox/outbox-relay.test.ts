import { describe, expect, test } from 'vitest';
import { BusUnavailableError, type PublishOptions } from '../bus/index.js';
import { InvalidEventError } from '../events/index.js';
import type { WaitingRow } from './outbox.store.js';
import { eventId, publishRows } from './outbox-relay.js';

const row = (id: number, orderingKey: string): WaitingRow => ({
  id: String(id),
  subject: 'hub.v1.motion.notified',
  orderingKey,
  payload: { notified_at: '2026-05-01T06:00:00Z' },
  requestId: null,
  attempts: 0,
  createdMs: '1777615200000',
});

/** Refuses the rows with these ids, and counts concurrent publishes. */
function fakeBus(refusals: Record<string, Error> = {}) {
  const tried: string[] = [];
  let running = 0;
  let max = 0;
  const publish = async (_subject: string, _payload: unknown, { id }: PublishOptions) => {
    running += 1;
    max = Math.max(max, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    const rowId = id.split('-').at(-1) ?? '';
    tried.push(rowId);
    const refusal = refusals[rowId];
    if (refusal) throw refusal;
  };
  return { bus: { publish }, tried, max: () => max };
}

describe('publishRows', () => {
  test('publishRows, several keys, run concurrently and each in order', async () => {
    const { bus, tried, max } = fakeBus();
    const rows = [row(1, 'a'), row(2, 'b'), row(3, 'a'), row(4, 'b'), row(5, 'a')];
    const { published, failed, poison } = await publishRows(bus, 'db', rows);
    expect(published).toHaveLength(5);
    expect([failed, poison]).toEqual([[], []]);
    expect(max()).toBe(2);
    expect(tried.filter((id) => ['1', '3', '5'].includes(id))).toEqual(['1', '3', '5']);
  });

  test('publishRows, a failure, holds back the rest of its key only', async () => {
    const { bus, tried } = fakeBus({ 3: new BusUnavailableError('late') });
    const rows = [row(1, 'a'), row(2, 'b'), row(3, 'a'), row(4, 'b'), row(5, 'a')];
    const { published, failed } = await publishRows(bus, 'db', rows);
    expect(published.map(({ id }) => id).sort()).toEqual(['1', '2', '4']);
    expect(failed.map(({ row: { id } }) => id)).toEqual(['3']);
    expect(tried).not.toContain('5');
  });

  test('publishRows, a row that can never be published, does not hold back its key', async () => {
    const { bus } = fakeBus({ 1: new InvalidEventError('hub.v1.motion.notified', 'payload') });
    const { published, poison, failed } = await publishRows(bus, 'db', [row(1, 'a'), row(2, 'a')]);
    expect(published.map(({ id }) => id)).toEqual(['2']);
    expect(poison.map(({ row: { id } }) => id)).toEqual(['1']);
    expect(failed).toEqual([]);
  });
});

describe('eventId', () => {
  test('eventId, of the same row id at another time or in another database, differs', () => {
    const ids = [
      eventId('db', row(1, 'a')),
      eventId('db', { ...row(1, 'a'), createdMs: '1777615200001' }),
      eventId('other', row(1, 'a')),
      eventId('db', row(2, 'a')),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(eventId('db', row(1, 'a'))).toBe(ids[0]);
  });
});
