import { describe, expect, it } from 'vitest';
import { aDay } from '../../testing/a-report.js';
import { ReportFormat } from '../format.js';
import { temperatureNote, temperatureRuns } from './temperature-chart.js';

describe('temperatureRuns', () => {
  const english = new ReportFormat('en');
  const measured = (day: string, mean: number) => ({
    ...aDay(day),
    temperature: { min: mean - 2, mean, max: mean + 2 },
  });

  it('days without a temperature, interrupt the line', () => {
    const days = [
      measured('2026-03-01', 1),
      aDay('2026-03-02'),
      measured('2026-03-03', 3),
      measured('2026-03-04', 4),
    ];
    expect(temperatureRuns(days).map((run) => run.map(({ index }) => index))).toEqual([[0], [2, 3]]);
  });

  it('no temperatures, give no line and a note', () => {
    expect(temperatureRuns([aDay('2026-03-01')])).toEqual([]);
    expect(temperatureNote([], 'metric', english)).toBe('No temperatures were recorded.');
  });

  it('several temperatures, are described by mean, lowest and highest', () => {
    const [run = []] = temperatureRuns([measured('2026-03-01', -1), measured('2026-03-02', 4)]);
    expect(temperatureNote(run, 'metric', english)).toMatch(
      /^Mean of the days 1\.5 °C; lowest −3\.0 °C on 1 Mar, highest 6\.0 °C on 2 Mar\./,
    );
  });

  it('temperatures in °F and in Russian, are formatted accordingly', () => {
    const [run = []] = temperatureRuns([measured('2026-03-01', 30)]);
    expect(temperatureNote(run, 'imperial', new ReportFormat('ru'))).toMatch(
      /^Среднее по дням 30,0 °F; самая низкая 28,0 °F \(1 мар\.\), самая высокая 32,0 °F \(1 мар\.\)\./,
    );
  });
});
