/** A line through points. */
export interface Line {
  /** The mean of the values. */
  readonly level: number;
  /** The rise per unit of x. */
  readonly slope: number;
  /** Two standard errors of the slope: 0 when all points lie on the line. */
  readonly uncertainty: number;
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

/** Fits a line by least squares; the slope is NaN for fewer than three points. */
export function fitLine(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const count = points.length;
  const meanX = sum(points.map(({ x }) => x)) / count;
  const level = sum(points.map(({ y }) => y)) / count;
  if (count < 3) return { level, slope: Number.NaN, uncertainty: Number.NaN };
  const spread = sum(points.map(({ x }) => (x - meanX) ** 2));
  const slope = sum(points.map(({ x, y }) => (x - meanX) * (y - level))) / spread;
  const rest = sum(points.map(({ x, y }) => (y - level - slope * (x - meanX)) ** 2));
  return { level, slope, uncertainty: 2 * Math.sqrt(rest / (count - 2) / spread) };
}
