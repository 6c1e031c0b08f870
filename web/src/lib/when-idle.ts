/** Calls `begin` when the browser is idle; immediately in Safari, without idle callbacks. Returns a cancel function. */
export function whenIdle(begin: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    begin();
    return () => undefined;
  }
  const idle = requestIdleCallback(begin);
  return () => cancelIdleCallback(idle);
}
