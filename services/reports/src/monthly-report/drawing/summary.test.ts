import { describe, expect, it } from 'vitest';
import { aDay, aReport, aSpecies } from '../../testing/a-report.js';
import { ReportFormat } from '../format.js';
import { genericNote, newSpeciesNote, summaryFigures, summaryLines } from './summary.js';

const english = new ReportFormat('en');

const findValue = (report: Parameters<typeof summaryLines>[0], label: string) =>
  [...summaryLines(report, english), ...summaryFigures(report, english)].find((line) => line.label === label)
    ?.value;

describe('summaryLines', () => {
  it('with equal days and hours, name the first', () => {
    const days = [aDay('2026-03-01', { 7: 1 }), aDay('2026-03-02', { 9: 1 })];
    const report = aReport({ days });
    expect(findValue(report, 'Busiest day')).toBe('1 Mar, 1 visit');
    expect(findValue(report, 'Busiest hour')).toBe('07:00–07:59, 1 visit');
  });

  it('with hours of several days, name the busiest by their sum', () => {
    const days = [aDay('2026-03-01', { 7: 2, 9: 3 }), aDay('2026-03-02', { 7: 2 })];
    expect(findValue(aReport({ days }), 'Busiest hour')).toBe('07:00–07:59, 4 visits');
  });

  it('with a flock, name the largest', () => {
    const species = [aSpecies(), aSpecies({ id: 2, name: 'Long-tailed Tit', maxSimultaneous: 9 })];
    expect(findValue(aReport({ species }), 'Most birds at once')).toBe('9, Long-tailed Tit');
  });

  it('with visits, have their total and mean duration', () => {
    expect(findValue(aReport(), 'Total time of visits')).toBe('90 s');
    expect(findValue(aReport(), 'Average visit')).toBe('30 s');
  });
});

describe('summaryFigures', () => {
  it('with new species, count them among all', () => {
    const species = [aSpecies(), aSpecies({ id: 2, isNew: true })];
    expect([findValue(aReport({ species }), 'species'), findValue(aReport({ species }), 'new here')]).toEqual(
      ['2', '1'],
    );
  });

  it('with one of each, are in the singular', () => {
    const totals = { ...aReport().totals, visits: 1, individuals: 1 };
    const labels = summaryFigures(aReport({ totals }), english).map(({ label }) => label);
    expect(labels).toEqual(['visit', 'species', 'new here', 'bird *']);
  });
});

describe('genericNote', () => {
  it.each([
    [0, undefined],
    [1, '1 more visit by birds that were not identified to species is left out of this report.'],
    [1_200, '1,200 more visits by birds that were not identified to species are left out of this report.'],
  ])('%i visits, are described as %s', (visits, text) => {
    expect(genericNote(visits, english)).toBe(text);
  });
});

describe('newSpeciesNote', () => {
  it('without new species, states that', () => {
    expect(newSpeciesNote([aSpecies()], english)).toBe('None: every species had been here before.');
  });

  it('with several, lists them in the order of arrival', () => {
    const late = aSpecies({ name: 'Brambling', isNew: true, first: { day: '2026-03-05', time: '09:00' } });
    const early = aSpecies({ name: 'Waxwing', isNew: true, first: { day: '2026-03-05', time: '08:59' } });
    expect(newSpeciesNote([late, aSpecies(), early], english)).toBe('Waxwing (5 Mar), Brambling (5 Mar).');
  });

  it('with more than twelve, counts the others', () => {
    const many = Array.from({ length: 15 }, (_, id) => aSpecies({ id, name: `Bird ${id}`, isNew: true }));
    expect(newSpeciesNote(many, english)).toMatch(/Bird 11 \(2 Mar\) and 3 more, marked in the tables\.$/);
  });
});
