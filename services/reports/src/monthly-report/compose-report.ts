import { localMoment } from './local-moment.js';
import type { ReportFacts, SpeciesFacts } from './report.store.js';
import type { Report, ReportDay, ReportSpecies } from './report-contents.js';
import type { ReportPeriod } from './report-period.js';
import { writeMoment } from './write-dates.js';

/** What a report says beside the facts. */
export interface ReportFrame {
  readonly period: ReportPeriod;
  readonly hub: string;
  readonly place: string;
  /** The present, in ms since the epoch. */
  readonly now: number;
}

const hoursOfDay = 24;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function toSpecies(
  zone: string,
  { firstAt, lastAt, detections, durationMs, ...kind }: SpeciesFacts,
): ReportSpecies {
  return { ...kind, first: localMoment(zone, firstAt), last: localMoment(zone, lastAt) };
}

function toDays({ days }: ReportPeriod, { hours, temperatures }: ReportFacts): ReportDay[] {
  const grid = days.map(() => Array.from({ length: hoursOfDay }, () => 0));
  for (const { day, hour, visits } of hours) {
    const row = grid[day];
    if (row) row[hour] = visits;
  }
  const airs = new Map(temperatures.map(({ day, ...temperature }) => [day, temperature]));
  return days.map(({ day }, index) => {
    const byHour = grid[index] ?? [];
    return { day, hours: byHour, visits: sum(byHour), temperature: airs.get(index) ?? null };
  });
}

/** While a period is not over, until when it is told. */
function writeUnfinished({ window, zone }: ReportPeriod, now: number): string | undefined {
  if (now >= window.end) return undefined;
  return writeMoment(localMoment(zone, now));
}

/** Puts what the database knows into the form in which it is drawn. */
export function composeReport(facts: ReportFacts, { period, hub, place, now }: ReportFrame): Report {
  const { species } = facts;
  const days = toDays(period, facts);
  const total = (of: (kind: SpeciesFacts) => number) => sum(species.map(of));
  return {
    title: period.title,
    span: period.span,
    zone: period.zone,
    hub,
    place,
    upTo: Math.min(now, period.window.end),
    unfinished: writeUnfinished(period, now),
    totals: {
      visits: total((kind) => kind.visits),
      individuals: total((kind) => kind.individuals),
      detections: total((kind) => kind.detections),
      recordings: facts.recordings,
      daysWithVisits: days.filter(({ visits }) => visits > 0).length,
      durationMs: total((kind) => kind.durationMs),
      genericVisits: facts.genericVisits,
    },
    species: species.map((kind) => toSpecies(period.zone, kind)),
    days,
  };
}
