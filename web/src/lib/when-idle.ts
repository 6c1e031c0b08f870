/** Calls `begin` when the browser is idle; immediately in Safari, which has no idle callback. Returns a function to cancel. */
export function whenIdle(begin: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    begin();
    return () => undefined;
  }
  const idle = requestIdleCallback(begin);
  return () => cancelIdleCallback(idle);
}
