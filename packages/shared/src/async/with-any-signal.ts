/**
 * Runs work with a signal that fires when one of several does, and removes it from them afterwards. In Node.js 20,
 * `AbortSignal.any` leaks one entry per call on each long-lived signal.
 */
export async function withAnySignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const any = new AbortController();
  const sources = signals.filter((signal) => signal !== undefined);
  const listeners = sources.map((source) => {
    const abort = () => any.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return { source, abort };
  });
  try {
    return await work(any.signal);
  } finally {
    for (const { source, abort } of listeners) source.removeEventListener('abort', abort);
  }
}
