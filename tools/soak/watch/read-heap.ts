/** Returns the used heap of a service in bytes, from its ops port, which is that of its readiness URL. */
export async function readHeap(readyUrl: string): Promise<number> {
  const response = await fetch(new URL('/metrics', readyUrl));
  const used = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await response.text())?.[1];
  if (used === undefined) throw new Error(`${readyUrl} has no heap metric`);
  return Number(used);
}
