import { type HubLanguage, speciesNameIn, type Units } from '@birdhub/domain/language';
import { type LocalMoment, ReportFormat, toLocalMoment } from './format.js';
import type { ReportFacts, SpeciesFacts } from './report.store.js';
import type { ReportPeriod } from './report-period.js';

/** The content of a report: plain values, so that another thread can draw it. */
export interface Report {
  readonly language: HubLanguage;
  /** Units of temperatures. */
  readonly units: Units;
  readonly title: string;
  readonly span: string;
  readonly zone: string;
  /** The name of the hub. */
  readonly hub: string;
  /** The location of the hub; empty when not set. */
  readonly place: string;
  /** End of the data, in ms since the epoch: the end of the period, or the current time if that is earlier. */
  readonly upTo: number;
  /** {@link upTo} as text while the period has not ended. */
  readonly unfinished: string | undefined;
  readonly totals: ReportTotals;
  /** Most visits first. */
  readonly species: readonly ReportSpecies[];
  readonly days: readonly ReportDay[];
}

/** Totals of the period. */
export interface ReportTotals {
  readonly visits: number;
  readonly individuals: number;
  readonly detections: number;
  readonly recordings: number;
  readonly daysWithVisits: number;
  /** Total duration of all visits. */
  readonly durationMs: number;
  /** Visits of unidentified birds, which are excluded from the other numbers. */
  readonly genericVisits: number;
}

/** A species of the report. */
export interface ReportSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string | null;
  readonly visits: number;
  /** Sum of the maximum numbers of simultaneous birds of all visits. */
  readonly individuals: number;
  /** Maximum number of simultaneous birds in any visit. */
  readonly maxSimultaneous: number;
  readonly days: number;
  readonly first: LocalMoment;
  /** Start of the last visit. */
  readonly last: LocalMoment;
  /** Whether it was never seen before the period. */
  readonly isNew: boolean;
}

/** Visits of a day, in total and by hour 0 to 23. */
export interface ReportDay {
  readonly day: string;
  readonly visits: number;
  readonly hours: readonly number[];
  /** Null when none was measured. */
  readonly temperature: ReportTemperature | null;
}

/** Temperatures of a day in the units of the report. */
export interface ReportTemperature {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** JPEGs of species by their ids. */
export type SpeciesPictures = ReadonlyMap<number, Uint8Array>;

/** A requested report: period, language and names. */
export interface ReportRequest {
  readonly language: HubLanguage;
  readonly units: Units;
  readonly period: ReportPeriod;
  /** The name of the hub. */
  readonly hub: string;
  /** The location of the hub; empty when not set. */
  readonly place: string;
}

const hoursOfDay = 24;
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Composes a report from the facts of its period; `now` is in ms since the epoch. */
export function composeReport(
  facts: ReportFacts,
  { language, units, period, hub, place }: ReportRequest,
  now: number,
): Report {
  const { title, span, zone, window } = period;
  const format = new ReportFormat(language);
  const days = toDays(period, facts, units);
  const total = (pick: (species: SpeciesFacts) => number) => sum(facts.species.map(pick));
  return {
    language,
    units,
    title,
    span,
    zone,
    hub,
    place,
    upTo: Math.min(now, window.end),
    unfinished: now < window.end ? format.moment(toLocalMoment(zone, now)) : undefined,
    totals: {
      visits: total(({ visits }) => visits),
      individuals: total(({ individuals }) => individuals),
      detections: total(({ detections }) => detections),
      recordings: facts.recordings,
      daysWithVisits: days.filter(({ visits }) => visits > 0).length,
      durationMs: total(({ durationMs }) => durationMs),
      genericVisits: facts.genericVisits,
    },
    species: facts.species.map((species) => toSpecies(language, zone, species)),
    days,
  };
}

function toSpecies(
  language: HubLanguage,
  zone: string,
  { firstAt, lastAt, detections, durationMs, ...species }: SpeciesFacts,
): ReportSpecies {
  const name = speciesNameIn(language, species.name);
  return { ...species, name, first: toLocalMoment(zone, firstAt), last: toLocalMoment(zone, lastAt) };
}

function toDays({ days }: ReportPeriod, { hours, temperatures }: ReportFacts, units: Units): ReportDay[] {
  const grid = days.map(() => Array.from({ length: hoursOfDay }, () => 0));
  for (const { day, hour, visits } of hours) {
    const row = grid[day];
    if (row) row[hour] = visits;
  }
  const inUnits = (celsius: number) => (units === 'imperial' ? celsius * 1.8 + 32 : celsius);
  const temperatureOf = new Map(
    temperatures.map(({ day, min, mean, max }) => [
      day,
      { min: inUnits(min), mean: inUnits(mean), max: inUnits(max) },
    ]),
  );
  return days.map(({ day }, index) => {
    const byHour = grid[index] ?? [];
    return { day, hours: byHour, visits: sum(byHour), temperature: temperatureOf.get(index) ?? null };
  });
}
