/** A command that was not called as its usage says. */
export class UsageError extends Error {
  override name = 'UsageError';
}
