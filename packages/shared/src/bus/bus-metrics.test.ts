import { findMetricMistakes } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics/index.js';
import type { BusEvent, ConsumeOptions } from './bus.js';
import { addBusMetrics, countEvents } from './bus-metrics.js';

const subject = 'hub.v1.motion.notified';
type Subject = typeof subject;

const options: ConsumeOptions<Subject> = {
  durable: 'system-test',
  subject,
  deliver: 'all',
  maxDeliver: 2,
  backoffMs: [1],
  concurrency: 1,
  onDeadLetter: async () => {},
};

describe('bus metrics', () => {
  it('a consumer that has handled nothing, is counted from zero, so that the first event is an increase', async () => {
    const metrics = createMetrics('system');
    countEvents(metrics, { options, handler: () => {} });
    const text = await metrics.registry.metrics();
    for (const outcome of ['handled', 'failed', 'given_up'])
      expect(text).toContain(`{consumer="system-test",outcome="${outcome}",service="system"} 0\n`);
  });

  it('the events of a consumer, are counted by outcome', async () => {
    const metrics = createMetrics('system');
    const letters: unknown[] = [];
    const onDeadLetter = async (letter: unknown) => void letters.push(letter);
    addBusMetrics(metrics, { status: () => 'ok' });
    const consumer = countEvents(metrics, {
      options: { ...options, onDeadLetter },
      handler: ({ id }) => {
        if (id === 'bad') throw new Error('not that one');
      },
    });
    const event: BusEvent<Subject> = {
      id: 'good',
      subject,
      payload: { notified_at: new Date(0).toISOString() },
      requestId: undefined,
      sequence: 1,
      redelivered: false,
      storedAt: 0,
    };
    await consumer.handler(event);
    for (let attempt = 1; attempt <= 2; attempt += 1)
      await expect(consumer.handler({ ...event, id: 'bad' })).rejects.toThrow('not that one');
    const letter = { consumer: 'system-test', eventId: 'bad', subject, payload: {}, error: '', attempts: 2 };
    await consumer.options.onDeadLetter(letter);
    expect(letters).toEqual([letter]);
    const text = await metrics.registry.metrics();
    const counted = (outcome: string) =>
      `hub_events_handled_total{consumer="system-test",outcome="${outcome}",service="system"}`;
    expect(text).toContain(`${counted('handled')} 1\n`);
    expect(text).toContain(`${counted('failed')} 2\n`);
    expect(text).toContain(`${counted('given_up')} 1\n`);
    expect(text).toContain('hub_bus_connected{service="system"} 1\n');
    expect(findMetricMistakes(text)).toEqual([]);
  });
});
