/** A condition, and whether it is met. */
export interface Check {
  readonly what: string;
  readonly measured: string;
  readonly bound: string;
  readonly isKept: boolean;
}

/** Requires a maximum; NaN fails the check. */
export function atMost(what: string, value: number, max: number, unit: string): Check {
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(1);
  return {
    what,
    measured: `${shown} ${unit}`.trim(),
    bound: `≤ ${max} ${unit}`.trim(),
    isKept: value <= max,
  };
}

/** Requires an empty list of failures; shows the first one. */
export function none(what: string, found: readonly string[]): Check {
  const [first] = found;
  const measured = first === undefined ? 'none' : `${found.length}, first: ${first}`;
  return { what, measured, bound: 'none', isKept: first === undefined };
}
