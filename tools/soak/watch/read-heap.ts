/** What the ops port of a service says of its heap, in bytes; the port is that of its readiness. */
export async function readHeap(readyUrl: string): Promise<number> {
  const response = await fetch(new URL('/metrics', readyUrl));
  const used = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await response.text())?.[1];
  if (used === undefined) throw new Error(`${readyUrl} tells nothing of a heap`);
  return Number(used);
}
