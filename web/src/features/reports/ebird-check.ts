/** What eBird minds in a file: it refuses it, or asks for what is not there. */
export type EbirdConcern =
  | 'columns'
  | 'no_name'
  | 'too_long'
  | 'number'
  | 'no_location'
  | 'date'
  | 'time'
  | 'duration'
  | 'country'
  | 'state'
  | 'protocol'
  | 'too_large'
  | 'no_coordinates'
  | 'no_genus';

/** How many rows are concerned, and what the first of them says. */
export interface EbirdFinding {
  readonly concern: EbirdConcern;
  readonly rows: number;
  readonly example: string;
}

/** What a file in eBird's record format has, and what is wrong with it. */
export interface EbirdCheck {
  readonly rows: number;
  readonly checklists: number;
  readonly species: number;
  readonly bytes: number;
  /** Where the birds were seen, as the first row says; empty without rows. */
  readonly place: string;
  readonly findings: readonly EbirdFinding[];
}

const mostBytes = 1_000_000;
const columns = 19;
/** The columns by their place. */
const at = {
  name: 0,
  genus: 1,
  number: 3,
  location: 5,
  latitude: 6,
  longitude: 7,
  date: 8,
  time: 9,
  state: 10,
  country: 11,
  protocol: 12,
  duration: 14,
} as const;
/** The most characters of each column; those that are not here may be of any length. */
const widths: Readonly<Record<number, number>> = {
  0: 64,
  1: 64,
  2: 64,
  4: 8_000,
  5: 60,
  10: 3,
  11: 2,
  18: 8_000,
};

type Rule = (cells: readonly string[]) => string | undefined;

const matches =
  (column: number, form: RegExp): Rule =>
  (cells) =>
    form.test(cells[column] ?? '') ? undefined : (cells[column] ?? '');

/** For each concern what a row says that raises it; undefined when all is well. */
const rules: Readonly<Record<Exclude<EbirdConcern, 'columns' | 'too_large'>, Rule>> = {
  no_name: matches(at.name, /\S/),
  too_long: (cells) =>
    cells.find((cell, column) => cell.length > (widths[column] ?? Number.POSITIVE_INFINITY)),
  number: matches(at.number, /^(X|[1-9]\d*)$/),
  no_location: matches(at.location, /\S/),
  date: matches(at.date, /^(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])\/\d{4}$/),
  time: matches(at.time, /^([01]\d|2[0-3]):[0-5]\d$/),
  duration: (cells) => {
    const minutes = Number(cells[at.duration]);
    return minutes >= 1 && minutes <= 1_440 ? undefined : (cells[at.duration] ?? '');
  },
  country: matches(at.country, /^[A-Z]{2}$/),
  state: matches(at.state, /^[A-Z0-9]{0,3}$/),
  protocol: matches(at.protocol, /^(Stationary|Traveling|Incidental|Historical)$/),
  no_coordinates: (cells) =>
    cells[at.latitude] && cells[at.longitude] ? undefined : (cells[at.location] ?? ''),
  no_genus: (cells) => (cells[at.genus] ? undefined : (cells[at.name] ?? '')),
};

function placeOf(cells: readonly string[]): string {
  const { location, state, country, latitude, longitude } = at;
  return [location, state, country, latitude, longitude].flatMap((column) => cells[column] || []).join(', ');
}

/** Reads a file as eBird would, and tells what it would refuse or ask for, the first of each kind as an example. */
export function checkEbirdFile(file: string): EbirdCheck {
  const rows = file.split(/\r?\n/).filter((row) => row !== '');
  const bytes = new TextEncoder().encode(file).length;
  const found = new Map<EbirdConcern, EbirdFinding>();
  const note = (concern: EbirdConcern, example: string) => {
    const before = found.get(concern);
    found.set(concern, { concern, rows: (before?.rows ?? 0) + 1, example: before?.example ?? example });
  };
  if (bytes > mostBytes) note('too_large', '');
  const cellsOf = rows.map((row) => row.split(','));
  for (const cells of cellsOf) {
    if (cells.length !== columns) {
      note('columns', cells[at.name] ?? '');
      continue;
    }
    for (const [concern, rule] of Object.entries(rules) as [EbirdConcern, Rule][]) {
      const example = rule(cells);
      if (example !== undefined) note(concern, example);
    }
  }
  const distinct = (...columnsOf: number[]) =>
    new Set(cellsOf.map((cells) => columnsOf.map((column) => cells[column]).join())).size;
  return {
    rows: rows.length,
    checklists: distinct(at.location, at.date),
    species: distinct(at.name),
    bytes,
    place: placeOf(cellsOf[0] ?? []),
    findings: [...found.values()],
  };
}

/** Whether eBird takes the file all the same, and asks for the rest. */
export const isOnlyAsked = (concern: EbirdConcern): boolean =>
  concern === 'no_coordinates' || concern === 'no_genus';
