/** Returns SQL for the milliseconds of a timestamp (since 1970) or of an interval, rounded. */
export const msSql = (expression: string) => `(extract(epoch FROM ${expression}) * 1000)::bigint`;
