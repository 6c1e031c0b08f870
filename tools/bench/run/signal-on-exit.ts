/**
 * Signals a process if this one exits before stopping it, for example on Ctrl-C. Returns a function to call after the
 * process was stopped.
 */
export function signalOnExit(findPid: () => number | undefined, signal: 'SIGTERM' | 'SIGINT'): () => void {
  const end = () => {
    const pid = findPid();
    if (pid !== undefined) process.kill(pid, signal);
  };
  process.on('exit', end);
  return () => process.off('exit', end);
}
