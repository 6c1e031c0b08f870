import { findMetricMistakes } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import type { Bus, BusEvent, ConsumeOptions, EventHandler } from '../bus/index.js';
import { measureBus } from './measure-bus.js';
import { createMetrics } from './service-metrics.js';

const subject = 'hub.v1.motion.notified';
type Subject = typeof subject;

/** Collects what its consumers are called with instead of reading a stream. */
function createFakeBus() {
  const consumers: { options: ConsumeOptions<Subject>; handler: EventHandler<Subject> }[] = [];
  const bus = {
    status: () => 'ok',
    consume(options, handler) {
      consumers.push({ options, handler } as unknown as (typeof consumers)[number]);
      return { ready: Promise.resolve(), close: async () => {} };
    },
  } satisfies Pick<Bus, 'consume' | 'status'>;
  return { bus, consumers };
}

const options: ConsumeOptions<Subject> = {
  durable: 'system-test',
  subject,
  deliver: 'all',
  maxDeliver: 2,
  backoffMs: [1],
  concurrency: 1,
  onDeadLetter: async () => {},
};

describe('measureBus', () => {
  it('a consumer that has handled nothing, is counted from zero, so that a first event is seen as a rise', async () => {
    const metrics = createMetrics('system');
    measureBus(createFakeBus().bus, metrics).consume(options, () => {});
    const text = await metrics.registry.metrics();
    for (const outcome of ['handled', 'failed', 'given_up'])
      expect(text).toContain(`{consumer="system-test",outcome="${outcome}",service="system"} 0\n`);
  });

  it('a consumer, has its events counted by their outcome', async () => {
    const metrics = createMetrics('system');
    const { bus, consumers } = createFakeBus();
    const letters: unknown[] = [];
    const onDeadLetter = async (letter: unknown) => void letters.push(letter);
    measureBus(bus, metrics).consume({ ...options, onDeadLetter }, ({ id }) => {
      if (id === 'bad') throw new Error('not that one');
    });
    const [consumer] = consumers;
    if (!consumer) throw new Error('nothing was consumed');
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
