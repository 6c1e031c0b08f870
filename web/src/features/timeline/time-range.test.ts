import { describe, expect, it } from 'vitest';
import { onlyDay, rangeOf } from './time-range';

const today = '2026-03-01';

describe('rangeOf', () => {
  it.each([
    [{}, { kind: 'all', from: undefined, to: today }],
    [{ range: 'today' }, { kind: 'today', from: today, to: today }],
    [{ range: 'yesterday' }, { kind: 'yesterday', from: '2026-02-28', to: '2026-02-28' }],
    [{ range: 'week' }, { kind: 'week', from: '2026-02-23', to: today }],
    [{ range: 'month' }, { kind: 'month', from: '2026-01-31', to: today }],
    [{ date: today }, { kind: 'today', from: today, to: today }],
    [{ date: '2026-02-28' }, { kind: 'yesterday', from: '2026-02-28', to: '2026-02-28' }],
    [{ date: '2025-12-31' }, { kind: 'day', from: '2025-12-31', to: '2025-12-31' }],
    [{ from: '2025-12-31' }, { kind: 'custom', from: '2025-12-31', to: today }],
    [{ to: '2025-12-31' }, { kind: 'custom', from: undefined, to: '2025-12-31' }],
  ] as const)('%j, gives %j', (asked, range) => {
    expect(rangeOf(asked, today)).toEqual(range);
  });
});

describe('onlyDay', () => {
  it('a range of one day, gives that day, and a longer one undefined', () => {
    expect(onlyDay({ kind: 'custom', from: today, to: today })).toBe(today);
    expect(onlyDay({ kind: 'custom', from: '2026-02-28', to: today })).toBeUndefined();
  });
});
