import { pino } from 'pino';
import { describe, expect, test, vi } from 'vitest';
import type { ConsumeOptions } from './bus.js';
import { Deliverer, type Delivery, deliveriesWithin, retryDelay } from './deliver.js';

const log = pino({ level: 'silent' });
const delivery: Delivery = {
  id: 'e1',
  subject: 'hub.v1.motion.notified',
  payload: { notified_at: '2026-05-01T06:00:00Z' },
  requestId: undefined,
  sequence: 9,
  attempt: 1,
  storedAt: 0,
};

function setUp(changes: Partial<ConsumeOptions<'hub.v1.>'>> = {}) {
  const onDeadLetter = vi.fn(async () => {});
  const handler = vi.fn();
  const options = { durable: 'd', subject: 'hub.v1.>', deliver: 'all', concurrency: 1 } as const;
  const deliverer = new Deliverer(
    { ...options, maxDeliver: 3, backoffMs: [10, 40], onDeadLetter, ...changes },
    handler,
    log,
  );
  return { deliver: (given: Delivery) => deliverer.deliver(given), handler, onDeadLetter };
}

describe('retryDelay', () => {
  test('retryDelay, with more attempts than pauses, repeats the last pause', () => {
    expect([1, 2, 3, 9].map((attempt) => retryDelay([10, 40], attempt))).toEqual([10, 40, 40, 40]);
  });

  test('retryDelay, without pauses, is never zero', () => {
    expect(retryDelay([], 1)).toBeGreaterThan(0);
  });
});

test('deliveriesWithin, with pauses, covers the time and the shorter pauses before', () => {
  expect(deliveriesWithin(60_000, [1_000, 5_000, 15_000])).toBe(3 + 4);
});

describe('deliver', () => {
  test('deliver, with a handler that succeeds, settles', async () => {
    const { deliver, handler } = setUp();
    expect(await deliver(delivery)).toEqual({ kind: 'settled' });
    expect(handler).toHaveBeenCalledWith(expect.objectContaining({ id: 'e1', redelivered: false }));
  });

  test('deliver, with one delivery more than attempts, still calls the handler', async () => {
    const { deliver, handler, onDeadLetter } = setUp();
    await deliver({ ...delivery, attempt: 4 });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(onDeadLetter).not.toHaveBeenCalled();
  });

  test('deliver, after many deliveries without an outcome, gives up before the process crashes again', async () => {
    const { deliver, handler, onDeadLetter } = setUp();
    expect(await deliver({ ...delivery, attempt: 9 })).toEqual({ kind: 'settled' });
    expect(handler).not.toHaveBeenCalled();
    expect(onDeadLetter).toHaveBeenCalledWith(
      expect.objectContaining({ error: 'no attempt was completed', attempts: 3 }),
    );
  });

  test('deliver, with a thrown value that is no Error, keeps its text', async () => {
    const { deliver, handler, onDeadLetter } = setUp({ maxDeliver: 1 });
    handler.mockRejectedValue('plain words');
    await deliver(delivery);
    expect(onDeadLetter).toHaveBeenCalledWith(expect.objectContaining({ error: 'plain words' }));
  });

  test('deliver, with a subject of a newer service, settles without a call', async () => {
    const { deliver, handler } = setUp();
    expect(await deliver({ ...delivery, subject: 'hub.v1.weather.forecast' })).toEqual({ kind: 'settled' });
    expect(handler).not.toHaveBeenCalled();
  });
});
