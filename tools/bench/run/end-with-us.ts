/**
 * Signals a process when this one ends before it was stopped in order, as it does on Ctrl-C. Call what is answered
 * once it has been stopped.
 */
export function endWithUs(findPid: () => number | undefined, signal: 'SIGTERM' | 'SIGINT'): () => void {
  const end = () => {
    const pid = findPid();
    if (pid !== undefined) process.kill(pid, signal);
  };
  process.on('exit', end);
  return () => process.off('exit', end);
}
