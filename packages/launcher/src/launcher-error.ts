/** An error whose message suffices: shown as one sentence, without a stack. */
export class LauncherError extends Error {
  override name = 'LauncherError';
}
