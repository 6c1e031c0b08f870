import { describe, expect, it } from 'vitest';
import { type CacheTags, isInvalidatedBy } from './cache-tags.js';

const minute = 60_000;
const tenToEleven: CacheTags = { recordings: { from: 600 * minute, to: 660 * minute }, species: true };
const recordings = (from: number, to: number) => ({ kind: 'recordings' as const, from, to });

describe('isInvalidatedBy', () => {
  it.each([
    ['inside', recordings(620 * minute, 621 * minute)],
    ['around', recordings(0, 900 * minute)],
    ['ending at its start', recordings(0, 600 * minute)],
    ['starting at its end', recordings(660 * minute, 700 * minute)],
    ['ending two minutes before', recordings(0, 598 * minute)],
    ['starting two minutes after', recordings(662 * minute, 700 * minute)],
    ['of the species', { kind: 'species' as const }],
    ['of everything', { kind: 'everything' as const }],
  ])('a span and a change %s, is invalidated', (_, change) => {
    expect(isInvalidatedBy(tenToEleven, change)).toBe(true);
  });

  it.each([
    ['well before', recordings(0, 598 * minute - 1)],
    ['well after', recordings(662 * minute + 1, 700 * minute)],
    ['of the settings', { kind: 'settings' as const }],
    ['of the weather', { kind: 'weather' as const }],
  ])('a span and a change %s, is not invalidated', (_, change) => {
    expect(isInvalidatedBy(tenToEleven, change)).toBe(false);
  });

  it('all recordings and a change of any, is invalidated', () => {
    expect(isInvalidatedBy({ recordings: 'all' }, recordings(0, 1))).toBe(true);
  });

  it('no recordings and a change of some, is not invalidated', () => {
    expect(isInvalidatedBy({ settings: true }, recordings(0, 1))).toBe(false);
    expect(isInvalidatedBy({ settings: true }, { kind: 'settings' })).toBe(true);
  });
});
