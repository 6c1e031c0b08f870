import { defaultSettings } from '@birdhub/domain/settings';
import { describe, expect, it } from 'vitest';
import { describeDigest, dueDigest, periodBefore } from './digest.js';

function due(digest: object, now: string, zone = 'Europe/Berlin') {
  const settings = defaultSettings(zone);
  Object.assign(settings.digest, digest);
  const found = dueDigest(settings, Date.parse(now));
  return found && [found.first, found.last, new Date(found.dueAt).toISOString()];
}

describe('dueDigest', () => {
  const daily = { frequency: 'daily', time: '07:00' };
  const weekly = { frequency: 'weekly', time: '07:00', weekday: 1 };
  const monthly = { frequency: 'monthly', time: '07:00' };
  it.each([
    ['switched off', { frequency: 'off' }, '2026-05-01T12:00:00Z', undefined],
    [
      'a day, at its time',
      daily,
      '2026-05-02T05:00:00Z',
      ['2026-05-01', '2026-05-01', '2026-05-02T05:00:00.000Z'],
    ],
    [
      'a day, before its time, is that of the day before',
      daily,
      '2026-05-02T04:59:59Z',
      ['2026-04-30', '2026-04-30', '2026-05-01T05:00:00.000Z'],
    ],
    [
      'a day, on which clocks go forward over its time',
      { ...daily, time: '02:30' },
      '2026-03-29T01:00:00Z',
      ['2026-03-28', '2026-03-28', '2026-03-29T01:00:00.000Z'],
    ],
    [
      'a day, whose time clocks going back bring twice, at the first of them',
      { ...daily, time: '02:30' },
      '2026-10-25T00:30:00Z',
      ['2026-10-24', '2026-10-24', '2026-10-25T00:30:00.000Z'],
    ],
    [
      'a day, whose time clocks going back bring twice, is the same at the second',
      { ...daily, time: '02:30' },
      '2026-10-25T01:30:00Z',
      ['2026-10-24', '2026-10-24', '2026-10-25T00:30:00.000Z'],
    ],
    [
      'a week, on its day',
      weekly,
      '2026-05-04T05:00:00Z',
      ['2026-04-27', '2026-05-03', '2026-05-04T05:00:00.000Z'],
    ],
    [
      'a week, a day late',
      weekly,
      '2026-05-05T05:00:00Z',
      ['2026-04-27', '2026-05-03', '2026-05-04T05:00:00.000Z'],
    ],
    ['a week, more than a day late', weekly, '2026-05-05T05:00:01Z', undefined],
    [
      'a month, on the first',
      monthly,
      '2026-03-01T06:00:00Z',
      ['2026-02-01', '2026-02-28', '2026-03-01T06:00:00.000Z'],
    ],
    ['a month, two days late', monthly, '2026-03-03T06:00:00Z', undefined],
  ])('%s', (_, settings, now, expected) => {
    expect(due(settings, now)).toEqual(expected);
  });
});

describe('periodBefore', () => {
  it.each([
    ['daily', '2026-01-01', '2025-12-31', '2025-12-31'],
    ['weekly', '2026-01-01', '2025-12-25', '2025-12-31'],
    ['monthly', '2026-01-15', '2025-12-01', '2025-12-31'],
  ] as const)('%s before %s, is from %s to %s', (frequency, day, first, last) => {
    expect(periodBefore(frequency, day)).toEqual({ frequency, first, last });
  });
});

describe('describeDigest', () => {
  const settings = defaultSettings('UTC');
  const nothing = {
    visits: 0,
    visitsBefore: 3,
    species: [],
    newSpecies: [],
    daysWithoutDetector: 0,
    best: null,
  };
  it('without birds, states that and names a silent detector', () => {
    expect(describeDigest({ ...nothing, daysWithoutDetector: 1 }, 1, settings)).toBe(
      'No birds came.\nThe detector did not report all day.',
    );
  });
  it('of a week, has species, change, new species and the best picture', () => {
    const facts = {
      visits: 11,
      visitsBefore: 10,
      species: [
        { name: 'Robin', visits: 10 },
        { name: 'Wren', visits: 1 },
      ],
      newSpecies: ['Wren'],
      daysWithoutDetector: 2,
      best: { detectionId: 1, videoId: 1, speciesName: 'Robin' },
    };
    expect(describeDigest(facts, 7, settings)).toBe(
      '11 visits by 2 species, 10% more than the week before.\nRobin 10, Wren 1\nNew: Wren\nBest picture: Robin\n2 days without the detector.',
    );
  });
  it('with many species that are new, names ten of them', () => {
    const names = Array.from({ length: 13 }, (_, index) => `Bird ${index}`);
    const species = names.map((name) => ({ name, visits: 1 }));
    const text = describeDigest({ ...nothing, visits: 13, species, newSpecies: names }, 7, settings);
    expect(text.split('\n').slice(1)).toEqual([
      `${names.slice(0, 10).join(' 1, ')} 1, + 3 more`,
      `New: ${names.slice(0, 10).join(', ')}, + 3 more`,
    ]);
  });
});
