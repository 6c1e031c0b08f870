/** The value of a SQLite cell. */
export type OldValue = number | bigint | string | Uint8Array | null;

/** A row of the old database; columns that its version does not have yet are absent. */
export type OldRow = Readonly<Record<string, OldValue>>;

/** A recording of the old database with what belongs to it. */
export interface OldRecording {
  readonly video: OldRow;
  readonly detections: readonly OldRow[];
  /** The old ids of the foods that were offered. */
  readonly foods: readonly number[];
}

const control = /\p{Cc}/gu;
const truths: readonly unknown[] = [1, '1', 'true', 't'];

/** Text that can be stored and shown, at most so many characters of it; undefined for none. */
export function textOf(row: OldRow, column: string, maxLength = 10_000): string | undefined {
  const value = row[column];
  if (typeof value !== 'string') return undefined;
  return value.replace(control, ' ').toWellFormed().trim().slice(0, maxLength).toWellFormed() || undefined;
}

/** A finite number; undefined for anything else. */
export function numberOf(row: OldRow, column: string): number | undefined {
  const value = row[column];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A whole number, as ids are. */
export function idOf(row: OldRow, column: string): number | undefined {
  const value = numberOf(row, column);
  return Number.isSafeInteger(value) ? value : undefined;
}

export const isTrue = (row: OldRow, column: string): boolean => truths.includes(row[column]);

/** The values of columns that this hub has no columns for. */
export function restOf(row: OldRow, known: ReadonlySet<string>): Record<string, unknown> | null {
  const rest = Object.keys(row)
    .filter((column) => !known.has(column))
    .map((column) => [column, textOf(row, column) ?? numberOf(row, column)] as const)
    .filter(([, value]) => value !== undefined);
  return rest.length ? Object.fromEntries(rest) : null;
}
