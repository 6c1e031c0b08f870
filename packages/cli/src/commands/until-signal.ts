import { LauncherError } from '@birdhub/launcher/launcher-error';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Does work that Ctrl-C or a service manager may end in order. @throws LauncherError when they did */
export async function untilSignal<T>(
  work: (signal: AbortSignal) => Promise<T>,
  farewell = 'Stopped. Nothing was changed.',
): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new LauncherError(farewell));
  for (const signal of signals) process.on(signal, stop);
  try {
    return await work(stopping.signal);
  } catch (error) {
    throw stopping.signal.aborted ? stopping.signal.reason : error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
