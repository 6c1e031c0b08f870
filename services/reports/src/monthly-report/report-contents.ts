/** A day, `YYYY-MM-DD`, and a time, `HH:MM`, of the clock on the wall. */
export interface Moment {
  readonly day: string;
  readonly time: string;
}

/** A species of the report. */
export interface ReportSpecies {
  readonly id: number;
  readonly name: string;
  readonly scientificName: string | null;
  readonly visits: number;
  /** The most birds at once of every visit, summed. */
  readonly individuals: number;
  /** The most birds at once of any visit. */
  readonly most: number;
  readonly days: number;
  readonly first: Moment;
  /** Start of the last visit. */
  readonly last: Moment;
  /** Whether it was never seen before the period. */
  readonly isNew: boolean;
}

/** Visits of a day, whole and by the hour, 0 to 23. */
export interface ReportDay {
  readonly day: string;
  readonly visits: number;
  readonly hours: readonly number[];
  /** In °C; null when none was measured. */
  readonly temperature: { readonly least: number; readonly mean: number; readonly most: number } | null;
}

/** Numbers of the whole period. */
export interface ReportTotals {
  readonly visits: number;
  readonly individuals: number;
  readonly detections: number;
  readonly recordings: number;
  readonly daysWithVisits: number;
  /** Of all visits together. */
  readonly durationMs: number;
  /** Visits of birds that were not identified, which are in no other number. */
  readonly genericVisits: number;
}

/** Everything that stands in a report: plain values, so that another thread can draw it. */
export interface Report {
  readonly title: string;
  readonly span: string;
  readonly zone: string;
  /** The hub's own name. */
  readonly hub: string;
  /** Where the hub is; empty when nobody said. */
  readonly place: string;
  /** Until when the numbers are, in ms: the end of the period, or the present when that is earlier. */
  readonly upTo: number;
  /** {@link upTo} in words while the period is not over. */
  readonly unfinished: string | undefined;
  readonly totals: ReportTotals;
  /** Most visits first. */
  readonly species: readonly ReportSpecies[];
  readonly days: readonly ReportDay[];
}

/** JPEGs of species by their ids. */
export type SpeciesPictures = ReadonlyMap<number, Uint8Array>;
