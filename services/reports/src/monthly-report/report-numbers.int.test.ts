import { monthWindow } from '@birdhub/shared/time';
import { aDetection, aRecording, insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { readPdf } from '../testing/read-pdf.js';

const zone = 'Europe/London';
const written = (date: Date) =>
  date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

describe('the numbers of a report', () => {
  let reports: TestReports;
  const read = async (month: string) => {
    const { rawPayload } = await reports.app.inject({ url: `/api/ui/report/pdf?month=${month}` });
    return readPdf(rawPayload);
  };

  beforeAll(async () => {
    reports = await createTestReports();
    await reports.setSettings({ general: { timezone: zone } });
    await reports.database.pool.query('UPDATE visit_rule SET timezone = $1', [zone]);
    for (const month of [2, 9])
      await insertManyVisits(reports.database.pool, {
        count: 1_200,
        from: Date.UTC(2026, month, 1) - 5 * 3_600_000,
        everyMs: 38 * 60_000,
      });
    for (let index = 0; index < 40; index += 1) {
      const start = Date.UTC(2026, 4, 31, 12) + index * 1_800_000;
      const names = index % 3 ? ['Great Tit', 'Great Tit', 'Eurasian Nuthatch'] : ['Great Tit', 'Bird'];
      const detections = names.map((speciesName, at) =>
        aDetection({ speciesName, startOffset: at, endOffset: at + 2.5, trackId: String(at) }),
      );
      await reports.writer.post(aRecording({ start, detections }), 'test');
    }
  });
  afterAll(() => reports.close());

  it.each(['2026-03', '2026-10'])('of %s, with a clock change, equal those of the visits', async (month) => {
    const { altTexts, text } = await read(month);
    const count = async (part: string) => {
      const { rows } = await reports.database.pool.query<{ part: Date | number; visits: number }>(
        `SELECT ${part} AS part, count(*) AS visits
          FROM (SELECT start_time AT TIME ZONE '${zone}' AS wall FROM species_visit) visit
          WHERE to_char(wall, 'YYYY-MM') = $1 GROUP BY 1 ORDER BY 1`,
        [month],
      );
      return rows;
    };
    const days = await count(`(wall::date)::timestamp AT TIME ZONE 'UTC'`);
    const byDay = days.map(({ part, visits }) => `${written(part as Date)} ${visits}`).join('; ');
    expect(days).toHaveLength(31);
    expect(altTexts).toContain(`Bar chart of visits by day. ${byDay}`);
    const hours = await count('extract(hour FROM wall)::int');
    const byHour = hours.map(({ part, visits }) => `${part}:00 ${visits}`).join('; ');
    expect(altTexts.join('\n')).toContain(`Of all days together, by hour: ${byHour}`);
    const total = hours.reduce((sum, { visits }) => sum + visits, 0);
    expect(text).toContain(`${total.toLocaleString('en-GB')}\nvisits`);
  });

  it.each(['2026-05', '2026-06'])('of %s, equal those of the rollups and of the export', async (month) => {
    const { altTexts } = await read(month);
    const { rows } = await reports.database.pool.query<{ name: string; visits: number }>(
      `SELECT name, sum(visits) AS visits FROM visit_day JOIN species ON id = species_id
        WHERE NOT generic AND to_char(day, 'YYYY-MM') = $1 GROUP BY name ORDER BY visits DESC, name`,
      [month],
    );
    expect(rows).toHaveLength(2);
    const bars = rows.map(({ name, visits }) => `${name}: ${visits} visits`).join('; ');
    expect(altTexts).toContain(`Bar chart of visits by species. ${bars}`);
    const { start, end } = monthWindow(zone, month);
    const url = `/api/ui/timeline/export?start_time=${start / 1000}&end_time=${end / 1000}`;
    const exported = (await reports.app.inject({ url })).json<{ species_name: string }[]>();
    for (const { name, visits } of rows)
      expect(exported.filter(({ species_name }) => species_name === name)).toHaveLength(visits);
  });

  it('of 5 000 species, are limited in charts and tables', async () => {
    await reports.database.pool.query(
      `WITH kind AS (
        INSERT INTO species (name) SELECT format('Species %s', number) FROM generate_series(1, 5000) number
        RETURNING id
      ) INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
        SELECT id, '2021-07-05T10:00Z', '2021-07-05T10:01Z', 2, 1, 1 FROM kind`,
    );
    const { text, pages } = await read('2021-07');
    expect(text).toContain('5,000\nspecies');
    expect(text).toContain('10,000\nbirds *');
    expect(text).toContain('4,981 other species');
    expect(text).toContain('4,600 more species with fewer visits are not listed.');
    expect(pages.length).toBeLessThan(20);
  });
});
