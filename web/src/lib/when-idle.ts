/** Calls back once the browser has nothing else to do; at once in Safari, which cannot tell. Returns what cancels it. */
export function whenIdle(begin: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    begin();
    return () => undefined;
  }
  const idle = requestIdleCallback(begin);
  return () => cancelIdleCallback(idle);
}
