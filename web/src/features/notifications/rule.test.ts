import { describe, expect, it } from 'vitest';
import { newRule, withoutUnused } from './rule';

describe('withoutUnused', () => {
  const draft = { ...newRule, sources: [3], cameras: ['garden'], min_count: 2 };

  it.each([
    ['any_visit', { sources: [3], cameras: ['garden'], min_count: 2 }],
    ['source_silent', { sources: [3], cameras: [], min_count: 1 }],
    ['detector_silent', { sources: [], cameras: [], min_count: 1 }],
    ['storage_short', { sources: [], cameras: [], min_count: 1 }],
  ] as const)('with the trigger %s, has only its conditions', (when, expected) => {
    expect(withoutUnused({ ...draft, when })).toMatchObject(expected);
  });
});
