/** Marks of an axis, from the first to the last that are to be seen. */
export interface Scale {
  readonly least: number;
  readonly most: number;
  readonly ticks: readonly number[];
}

const roundSteps = [1, 2, 5, 10];

/** The least round step, 1, 2 or 5 times a power of ten and no fraction, that needs at most so many. */
function roundStep(length: number, mostSteps: number): number {
  const least = length / mostSteps;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * (roundSteps.find((step) => step * power >= least) ?? 10);
}

/** A scale of whole round numbers around two values. */
export function scaleBetween(least: number, most: number, mostSteps: number): Scale {
  const step = roundStep(Math.max(most - least, 1), mostSteps);
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  const at = (index: number) => (first + index) * step;
  const count = last - first;
  return { least: at(0), most: at(count), ticks: Array.from({ length: count + 1 }, (_, index) => at(index)) };
}

const daySteps = [1, 2, 3, 7, 14, 28];

/** At which columns labels of a width stand, so that none touches the next. */
export function labelColumns(count: number, columnWidth: number, labelWidth: number): number[] {
  const step = daySteps.find((days) => days * columnWidth >= labelWidth) ?? count;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

/** Which of so many steps of colour a number has, evenly up to the most; -1 for none. */
export function heatStep(number: number, most: number, steps: number): number {
  return number <= 0 ? -1 : Math.min(steps - 1, Math.ceil((number / most) * steps) - 1);
}
