import { findMetricMistakes } from '@birdhub/testing';
import { describe, expect, it } from 'vitest';
import { addOutboxMetrics, createMetrics } from './service-metrics.js';

describe('createMetrics', () => {
  it('metrics with values, have no mistakes and name the service', async () => {
    const metrics = createMetrics('query');
    addOutboxMetrics(metrics, () => 3);
    metrics.httpSeconds.observe({ operation: 'getTimeline', status: '200' }, 0.01);
    metrics.eventsHandled.inc({ consumer: 'query-live', outcome: 'ok' });
    const text = await metrics.registry.metrics();
    expect(findMetricMistakes(text)).toEqual([]);
    expect(text).toContain('hub_outbox_pending{service="query"} 3\n');
    expect(text).toContain('nodejs_active_handles{');
  });
});
