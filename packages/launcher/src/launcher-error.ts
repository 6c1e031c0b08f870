/** A failure that its message explains: shown as one sentence, without a stack. */
export class LauncherError extends Error {
  override name = 'LauncherError';
}
