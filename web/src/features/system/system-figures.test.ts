import { describe, expect, it, test } from 'vitest';
import { adviceKey, isIdle, parts, percentDone, summarizeMonth, timeTicks } from './system-figures';
import en from './texts/en.json';

describe('adviceKey', () => {
  test('a part that works, needs no advice', () => expect(adviceKey('video', 'ok')).toBeUndefined());

  test('a processor that never reported, has advice to set it up', () => {
    const advice = adviceKey('processor', 'unknown') ?? '';
    expect(en).toHaveProperty([advice]);
    // The advice for a processor that stopped reporting would be wrong.
    expect(advice).not.toBe(adviceKey('processor', 'error'));
  });

  test.each(parts)('%s with an error, has a text with advice', (part) => {
    expect(en).toHaveProperty([adviceKey(part, 'error') ?? '']);
  });
});

test.each([
  ['not_used', true],
  ['not_configured', true],
  ['error', false],
  ['ok', false],
] as const)('isIdle, in the state %s, is %s', (state, expected) => expect(isIdle(state)).toBe(expected));

const day = (date: string, visits: number, totalUptime = 0) => ({
  date,
  visits,
  recordings: 2 * visits,
  totalUptime,
});

describe('summarizeMonth', () => {
  test('days with visits, have bars relative to the best day', () => {
    const { sum, best, bars } = summarizeMonth([day('2026-05-01', 10), day('2026-05-02', 40)], 'visits');
    expect(sum).toBe(50);
    expect(best).toMatchObject({ date: '2026-05-02', value: 40 });
    expect(bars.map(({ share }) => share)).toEqual([0.25, 1]);
  });

  test('two equally good days, name the first', () => {
    const { best } = summarizeMonth([day('2026-05-01', 7), day('2026-05-02', 7)], 'recordings');
    expect(best?.date).toBe('2026-05-01');
  });

  test('hours of the processor, are relative to the length of a day', () => {
    const { bars } = summarizeMonth([day('2026-05-01', 0, 6), day('2026-05-02', 0, 25)], 'totalUptime');
    expect(bars.map(({ share }) => share)).toEqual([0.25, 1]);
  });

  test('a month without visits, has flat bars and no best day', () => {
    const { sum, best, bars } = summarizeMonth([day('2026-05-01', 0)], 'visits');
    expect({ sum, best, shares: bars.map(({ share }) => share) }).toEqual({
      sum: 0,
      best: undefined,
      shares: [0],
    });
  });
});

const progress = { generated: 0, failed: 0, skipped: 0, current_video_id: null };

describe('percentDone', () => {
  test('with an unknown total, is undefined', () => {
    expect(percentDone({ progress: { ...progress, processed: 0, total: 0 } })).toBeUndefined();
  });

  test('with half of the work done, is 50', () => {
    expect(percentDone({ progress: { ...progress, processed: 5, total: 10 } })).toBe(50);
  });

  test('with more done than the total, is 100', () => {
    expect(percentDone({ progress: { ...progress, processed: 12, total: 10 } })).toBe(100);
  });
});

const ticks = (from: string, to: string, zone = 'UTC', maxTicks = 6) =>
  timeTicks(Date.parse(from), Date.parse(to), zone, maxTicks).map((at) =>
    new Date(at).toISOString().slice(5, 16),
  );

describe('timeTicks', () => {
  it('a few minutes, have ticks at round minutes', () => {
    expect(ticks('2026-05-04T08:33:20Z', '2026-05-04T08:41:00Z')).toEqual([
      '05-04T08:34',
      '05-04T08:36',
      '05-04T08:38',
      '05-04T08:40',
    ]);
  });

  it('a day in a zone with a half-hour offset, has ticks at its own full hours', () => {
    expect(ticks('2026-05-04T10:00:00Z', '2026-05-05T10:00:00Z', 'Asia/Kolkata')).toEqual([
      '05-04T12:30',
      '05-04T18:30',
      '05-05T00:30',
      '05-05T06:30',
    ]);
  });

  it('a week with a clock change, has ticks at midnight', () => {
    expect(ticks('2026-03-27T12:00:00Z', '2026-04-02T12:00:00Z', 'Europe/Berlin', 8)).toEqual([
      '03-27T23:00',
      '03-28T23:00',
      '03-29T22:00',
      '03-30T22:00',
      '03-31T22:00',
      '04-01T22:00',
    ]);
  });

  it('a month, has no more ticks than requested', () => {
    expect(ticks('2026-04-01T12:00:00Z', '2026-05-01T12:00:00Z')).toHaveLength(3);
  });
});
