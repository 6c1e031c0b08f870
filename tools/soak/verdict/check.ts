/** One thing that must hold, and whether it did. */
export interface Check {
  readonly what: string;
  readonly measured: string;
  readonly bound: string;
  readonly isKept: boolean;
}

/** A number that must not be greater; one that is not known is. */
export function atMost(what: string, value: number, most: number, unit: string): Check {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(1);
  return {
    what,
    measured: `${shown} ${unit}`.trim(),
    bound: `≤ ${most} ${unit}`.trim(),
    isKept: value <= most,
  };
}

/** A list of failures that must be empty; the first is shown. */
export function none(what: string, found: readonly string[]): Check {
  const [first] = found;
  const measured = first === undefined ? 'none' : `${found.length}, first: ${first}`;
  return { what, measured, bound: 'none', isKept: first === undefined };
}
