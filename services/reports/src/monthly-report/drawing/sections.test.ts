import { describe, expect, it } from 'vitest';
import { aDay, aSpecies } from '../../testing/a-report.js';
import { newSpeciesWords } from './new-species.js';
import { speciesBars } from './species-bars.js';
import { temperatureNote, temperatureRuns } from './temperature-chart.js';
import { fittingRows } from './top-species.js';

describe('newSpeciesWords', () => {
  it('none, says so', () => {
    expect(newSpeciesWords([aSpecies()])).toBe('None: every species had been here before.');
  });

  it('several, are told in the order in which they came', () => {
    const late = aSpecies({ name: 'Brambling', isNew: true, first: { day: '2026-03-05', time: '09:00' } });
    const early = aSpecies({ name: 'Waxwing', isNew: true, first: { day: '2026-03-05', time: '08:59' } });
    expect(newSpeciesWords([late, aSpecies(), early])).toBe('Waxwing (5 Mar), Brambling (5 Mar).');
  });

  it('more than twelve, are counted from there on', () => {
    const many = Array.from({ length: 15 }, (_, id) => aSpecies({ id, name: `Bird ${id}`, isNew: true }));
    expect(newSpeciesWords(many)).toMatch(/Bird 11 \(2 Mar\) and 3 more, marked in the tables\.$/);
  });
});

describe('speciesBars', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, id) => aSpecies({ id, name: `Bird ${id}`, visits: 2 }));

  it('twenty species, have a bar each', () => {
    expect(speciesBars(many(20)).map(({ name }) => name)).toEqual(many(20).map(({ name }) => name));
  });

  it('more, share the last bar', () => {
    const bars = speciesBars(many(1_022));
    expect(bars).toHaveLength(20);
    expect(bars.at(-1)).toEqual({ name: '1,003 other species', visits: 2_006 });
  });
});

describe('temperatureRuns', () => {
  const measured = (day: string, mean: number) => ({
    ...aDay(day),
    temperature: { least: mean - 2, mean, most: mean + 2 },
  });

  it('days without a temperature, part the line', () => {
    const days = [
      measured('2026-03-01', 1),
      aDay('2026-03-02'),
      measured('2026-03-03', 3),
      measured('2026-03-04', 4),
    ];
    expect(temperatureRuns(days).map((run) => run.map(({ index }) => index))).toEqual([[0], [2, 3]]);
  });

  it('no temperature, is no line and said', () => {
    expect(temperatureRuns([aDay('2026-03-01')])).toEqual([]);
    expect(temperatureNote([])).toBe('No temperatures were recorded.');
  });

  it('several, are told by their mean and ends', () => {
    const [run = []] = temperatureRuns([measured('2026-03-01', -1), measured('2026-03-02', 4)]);
    expect(temperatureNote(run)).toMatch(
      /^Mean of the days 1\.5 °C; lowest −3\.0 °C on 1 Mar, highest 6\.0 °C on 2 Mar\./,
    );
  });
});

describe('fittingRows', () => {
  const rows = [1, 2, 3, 4, 5];
  it.each([
    [100, rows],
    [41, [1, 2, 3, 4]],
    [10, [1, 2, 3]],
  ])('in %i points, rows of ten leave %j', (room, fitting) => {
    expect(fittingRows(rows, () => 10, room)).toEqual(fitting);
  });
});
