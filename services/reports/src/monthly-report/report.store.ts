import { readZoneClock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { ReportPeriod } from './report-period.js';
import { reportSql } from './report-sql.js';

/** What a species did in a period; instants in ms since the epoch. */
export interface SpeciesFacts {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string | null;
  readonly visits: number;
  /** The most birds at once of every visit, summed. */
  readonly individuals: number;
  /** The most birds at once of any visit. */
  readonly most: number;
  readonly detections: number;
  /** Calendar days with a visit. */
  readonly days: number;
  readonly durationMs: number;
  readonly firstAt: number;
  /** Start of the last visit. */
  readonly lastAt: number;
  /** Whether its first visit ever lies in the period. */
  readonly isNew: boolean;
}

/** Visits of an hour of the clock on the wall; days are counted from the first of the period. */
export interface HourFacts {
  readonly day: number;
  readonly hour: number;
  readonly visits: number;
}

/** Temperatures of a day in °C. */
export interface TemperatureFacts {
  readonly day: number;
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

/** What the database knows of a period; generic species are counted apart. */
export interface ReportFacts {
  readonly genericVisits: number;
  readonly recordings: number;
  /** Most visits first. */
  readonly species: readonly SpeciesFacts[];
  readonly hours: readonly HourFacts[];
  readonly temperatures: readonly TemperatureFacts[];
}

/** All that is to be said of a period, with one statement. */
export async function readReportFacts(
  pool: pg.Pool,
  { window, zone, days }: ReportPeriod,
): Promise<ReportFacts> {
  const { starts, offsets } = readZoneClock(zone, window);
  const values = [
    new Date(window.start),
    new Date(window.end),
    days.map((day) => new Date(day.start)),
    starts,
    offsets,
  ];
  const { rows } = await pool.query<ReportFacts>({ name: 'monthly-report', text: reportSql, values });
  const [row] = rows;
  if (!row) throw new Error('the statement of a report answered no row');
  return row;
}
