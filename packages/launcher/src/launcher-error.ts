/** An error that is shown to users as its message only, without a stack. */
export class LauncherError extends Error {
  override name = 'LauncherError';
}
