/** Problems of an eBird file: eBird rejects it or asks for missing data. */
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

/** Number of affected rows, and the value of the first one. */
export interface EbirdFinding {
  readonly concern: EbirdConcern;
  readonly rows: number;
  readonly example: string;
}

/** Contents and problems of a file in eBird's record format. */
export interface EbirdCheck {
  readonly rows: number;
  readonly checklists: number;
  readonly species: number;
  readonly bytes: number;
  /** Location of the first row; empty without rows. */
  readonly place: string;
  readonly findings: readonly EbirdFinding[];
}

const maxBytes = 1_000_000;
const columns = 19;
/** Indexes of columns. */
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
/** Maximum characters by column; no limit for others. */
const maxLengths: Readonly<Record<number, number>> = {
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

/** Returns the offending value of a row, or undefined when it is valid. */
const rules: Readonly<Record<Exclude<EbirdConcern, 'columns' | 'too_large'>, Rule>> = {
  no_name: matches(at.name, /\S/),
  too_long: (cells) =>
    cells.find((cell, column) => cell.length > (maxLengths[column] ?? Number.POSITIVE_INFINITY)),
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

/** Checks a file by eBird's import rules; each finding has the first value as an example. */
export function checkEbirdFile(file: string): EbirdCheck {
  const rows = file.split(/\r?\n/).filter((row) => row !== '');
  const bytes = new TextEncoder().encode(file).length;
  const found = new Map<EbirdConcern, EbirdFinding>();
  const note = (concern: EbirdConcern, example: string) => {
    const before = found.get(concern);
    found.set(concern, { concern, rows: (before?.rows ?? 0) + 1, example: before?.example ?? example });
  };
  if (bytes > maxBytes) note('too_large', '');
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

/** Whether eBird accepts the file and asks for the missing data. */
export const isOptional = (concern: EbirdConcern): boolean =>
  concern === 'no_coordinates' || concern === 'no_genus';
