import { describe, expect, test } from 'vitest';
import { type EventMap, InvalidEventError } from '../events/index.js';
import { outboxRow } from './commit.js';

describe('outboxRow', () => {
  test('outboxRow, a payload of the catalogue, becomes a row', () => {
    const payload = { notified_at: '2026-05-01T06:00:00Z' };
    expect(outboxRow('hub.v1.motion.notified', 'motion', payload, undefined)).toEqual({
      subject: 'hub.v1.motion.notified',
      orderingKey: 'motion',
      payload,
      requestId: null,
    });
  });

  test('outboxRow, an invalid payload, throws', () => {
    const wrong = { notified_at: 'now' } as EventMap['hub.v1.motion.notified'];
    expect(() => outboxRow('hub.v1.motion.notified', 'motion', wrong, 'r1')).toThrow(InvalidEventError);
    // @ts-expect-error a payload of another subject does not compile
    expect(() => outboxRow('hub.v1.job.finished', 'motion', { notified_at: '' }, 'r1')).toThrow();
  });
});
