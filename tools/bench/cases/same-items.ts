interface Item {
  readonly id: number;
  readonly detections: readonly { readonly id: number }[];
}

const numbersOf = (items: readonly Item[]) =>
  JSON.stringify(items.map(({ id, detections }) => [id, detections.map((detection) => detection.id)]));

/**
 * Requires that several timelines list the same visits and detections of a window in the same order, as a limit is only
 * valid with the same response.
 */
export async function requireSameItems(
  addresses: readonly string[],
  { start, end }: { start: number; end: number },
): Promise<void> {
  const responses = await Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(`${address}?start_time=${start / 1000}&end_time=${end / 1000}`);
      if (!response.ok) throw new Error(`${address} returned ${response.status}`);
      return numbersOf((await response.json()) as Item[]);
    }),
  );
  if (new Set(responses).size !== 1) throw new Error(`${addresses.join(' and ')} list different visits`);
  if (responses[0] === '[]') throw new Error(`${addresses[0]} lists no visits`);
}
