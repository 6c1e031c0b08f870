import { findMetricMistakes } from '@birdhub/testing';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryBus } from '../bus/index.js';
import { measureBus } from './measure-bus.js';
import { createMetrics } from './service-metrics.js';

describe('measureBus', () => {
  it('a consumer that has handled nothing, is counted from zero, so that a first event is seen as a rise', async () => {
    const metrics = createMetrics('system');
    const bus = measureBus(createMemoryBus(pino({ level: 'silent' })), metrics);
    const subject = 'hub.v1.motion.notified';
    const rules = { deliver: 'all', maxDeliver: 2, backoffMs: [1], concurrency: 1 } as const;
    bus.consume({ durable: 'system-test', subject, ...rules, onDeadLetter: async () => {} }, () => {});
    await bus.close();
    const text = await metrics.registry.metrics();
    for (const outcome of ['handled', 'failed', 'given_up'])
      expect(text).toContain(`{consumer="system-test",outcome="${outcome}",service="system"} 0\n`);
  });

  it('a consumer, has its events counted by what became of them', async () => {
    const metrics = createMetrics('system');
    const bus = measureBus(createMemoryBus(pino({ level: 'silent' })), metrics);
    const letters: unknown[] = [];
    const subject = 'hub.v1.motion.notified';
    bus.consume(
      {
        durable: 'system-test',
        subject,
        deliver: 'all',
        maxDeliver: 2,
        backoffMs: [1],
        concurrency: 1,
        onDeadLetter: async (letter) => void letters.push(letter),
      },
      ({ id }) => {
        if (id === 'bad') throw new Error('not that one');
      },
    );
    for (const id of ['good', 'bad']) {
      await bus.publish(subject, { notified_at: new Date(0).toISOString() }, { id });
    }
    await vi.waitFor(() => expect(letters).toHaveLength(1), 2_000);
    await bus.close();
    const text = await metrics.registry.metrics();
    const counted = (outcome: string) =>
      `hub_events_handled_total{consumer="system-test",outcome="${outcome}",service="system"}`;
    expect(text).toContain(`${counted('handled')} 1\n`);
    expect(text).toContain(`${counted('failed')} 2\n`);
    expect(text).toContain(`${counted('given_up')} 1\n`);
    expect(text).toMatch(/hub_bus_connected\{service="system"\} [01]\n/);
    expect(findMetricMistakes(text)).toEqual([]);
  });
});
