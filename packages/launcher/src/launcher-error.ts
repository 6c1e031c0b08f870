/** A reason not to start that its message tells whole: shown as one sentence, without a stack. */
export class LauncherError extends Error {
  override name = 'LauncherError';
}
