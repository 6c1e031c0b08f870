import { describe, expect, it } from 'vitest';
import { findMetricMistakes } from './metric-mistakes.js';

const family = (name: string, type: string, samples = `${name} 1`) =>
  `# HELP ${name} Something\n# TYPE ${name} ${type}\n${samples}\n`;

describe('findMetricMistakes', () => {
  it.each([
    family('hub_requests_total', 'counter'),
    family(
      'hub_size_bytes',
      'gauge',
      'hub_size_bytes{disk="a,b=\\"c\\""} 1.5e+09\nhub_size_bytes{disk="b"} NaN',
    ),
    family(
      'hub_seconds',
      'histogram',
      'hub_seconds_bucket{le="+Inf"} 1\nhub_seconds_sum 2\nhub_seconds_count 1',
    ),
    family('hub_empty_seconds', 'gauge', ''),
  ])('valid metrics, return no mistakes: %j', (text) => {
    expect(findMetricMistakes(text)).toEqual([]);
  });

  it.each([
    ['hub_size 1\n', ['hub_size: no help text', 'hub_size: no type']],
    [family('hub_requests', 'counter'), ['hub_requests: a counter ends in _total']],
    [family('hub_handles_total', 'gauge'), ['hub_handles_total: only a counter ends in _total']],
    [family('hub_lag_ms', 'gauge'), ['hub_lag_ms: unit abbreviated']],
    [family('hub_lag_milliseconds', 'gauge'), ['hub_lag_milliseconds: not in base units']],
    [family('hub:lag', 'gauge'), ['hub:lag: colons are for recording rules']],
    [family('hubLag', 'gauge'), ['hubLag: snake_case, not camelCase']],
    [family('hub_lag_count', 'gauge'), ['hub_lag_count: ends like a part of a histogram']],
    [family('hub_gauge_lag', 'gauge'), ['hub_gauge_lag: type within the name']],
    [family('hub_lag', 'gauge', 'hub_lag 1\nhub_lag 2'), ['hub_lag: a series twice']],
    [family('hub_lag', 'gauge', 'hub_lag many'), ['not a sample: hub_lag many']],
    [family('hub_lag', 'gauge', 'hub_lag{a} 1'), ['not a sample: hub_lag{a} 1']],
    [family('hub_lag', 'gauge').trimEnd(), ['the last line has no line break']],
  ])('%j, returns its mistakes', (text, mistakes) => {
    expect(findMetricMistakes(text)).toEqual(mistakes);
  });
});
