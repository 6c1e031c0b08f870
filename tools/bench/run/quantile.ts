/** Returns the smallest value that at least a share (0 to 1) of the values does not exceed; NaN without values. */
export const quantile = (values: readonly number[], share: number): number =>
  quantileOfSorted(
    values.toSorted((one, other) => one - other),
    share,
  );

/** Like {@link quantile}, for values in ascending order. */
export const quantileOfSorted = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

/** Returns the median; of two middle values the smaller one. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the mean; NaN without values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
