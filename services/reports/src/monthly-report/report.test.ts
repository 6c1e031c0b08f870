import { describe, expect, it } from 'vitest';
import { ReportFormat } from './format.js';
import { composeReport, type ReportRequest } from './report.js';
import type { ReportFacts, SpeciesFacts } from './report.store.js';
import { readPeriod } from './report-period.js';

const zone = 'Europe/London';
const period = readPeriod({ month: '2026-03' }, zone, new ReportFormat('en'));

const tit: SpeciesFacts = {
  id: 1,
  name: 'Great Tit',
  scientificName: 'Parus major',
  visits: 3,
  individuals: 5,
  maxSimultaneous: 2,
  detections: 7,
  days: 2,
  durationMs: 60_000,
  firstAt: Date.UTC(2026, 2, 29, 0, 59),
  lastAt: Date.UTC(2026, 2, 29, 1, 0),
  isNew: true,
};

const facts: ReportFacts = {
  genericVisits: 2,
  recordings: 9,
  species: [tit, { ...tit, id: 2, visits: 1, individuals: 1 }],
  hours: [
    { day: 0, hour: 7, visits: 1 },
    { day: 28, hour: 0, visits: 2 },
    { day: 28, hour: 2, visits: 1 },
  ],
  temperatures: [{ day: 1, min: -1, mean: 0, max: 1 }],
};
const compose = (now: number, given: Partial<ReportRequest> = {}) => {
  const request = { language: 'en', units: 'metric', period, hub: 'Birdhub', place: '', ...given } as const;
  return composeReport(facts, request, now);
};

describe('composeReport', () => {
  it('counts of species, are summed, and those of generic ones separately', () => {
    expect(compose(0).totals).toEqual({
      visits: 4,
      individuals: 6,
      detections: 14,
      recordings: 9,
      daysWithVisits: 2,
      durationMs: 120_000,
      genericVisits: 2,
    });
  });

  it('hours and temperatures, belong to their days, and empty days are included', () => {
    const { days } = compose(0);
    expect(days).toHaveLength(31);
    expect(days[28]).toMatchObject({ day: '2026-03-29', visits: 3, temperature: null });
    expect(days[28]?.hours.slice(0, 3)).toEqual([2, 0, 1]);
    expect(days[1]?.temperature).toEqual({ min: -1, mean: 0, max: 1 });
  });

  it('sightings around a clock change, have local times', () => {
    expect(compose(0).species[0]).toMatchObject({
      first: { day: '2026-03-29', time: '00:59' },
      last: { day: '2026-03-29', time: '02:00' },
    });
  });

  it.each([
    [period.window.end - 60_000, '31 March 2026, 23:59'],
    [period.window.end, undefined],
  ])('at %i, is unfinished up to %s', (now, words) => {
    expect(compose(now)).toMatchObject({ unfinished: words, upTo: now });
  });

  it('in German and with imperial units, has German names and °F', () => {
    const { species, days } = compose(0, { language: 'de', units: 'imperial' });
    expect(species[0]).toMatchObject({ name: 'Kohlmeise', scientificName: 'Parus major' });
    const { min, mean, max } = days[1]?.temperature ?? { min: 0, mean: 0, max: 0 };
    expect([min, mean, max].map((degrees) => degrees.toFixed(1))).toEqual(['30.2', '32.0', '33.8']);
  });

  it('long after the period, is that of its end', () => {
    expect(compose(period.window.end + 1e9)).toEqual(compose(period.window.end));
  });
});
