import type { Ring } from '@birdhub/shared/db';

/** Which rings of the bell this process has heard. */
export interface HeardRings {
  hear(ring: Pick<Ring, 'origin' | 'sequence'>): void;
  /** Whether all rings that `x-hub-bell` names are heard, as soon as they are; false when that takes too long. */
  haveHeard(names: string, patienceMs: number): Promise<boolean>;
  /** Waits for the rings that `x-hub-bell` names no more. */
  takeAsHeard(names: string): void;
}

interface Waiting {
  readonly names: string;
  readonly resolve: (isHeard: boolean) => void;
}

/** More processes than a hub ever has; those that are long gone are forgotten. */
const mostOrigins = 1_000;
const tokens = /([\w-]{1,64}):(\d{1,15})/g;

/** Nothing heard yet. */
export function createHeardRings(): HeardRings {
  const heard = new Map<string, number>();
  const waiting = new Set<Waiting>();

  const isHeard = (names: string): boolean =>
    [...names.matchAll(tokens)].every(
      ([, origin = '', sequence]) => (heard.get(origin) ?? 0) >= Number(sequence),
    );

  function hear({ origin, sequence }: Pick<Ring, 'origin' | 'sequence'>): void {
    const highest = Math.max(sequence, heard.get(origin) ?? 0);
    heard.delete(origin);
    heard.set(origin, highest);
    if (heard.size > mostOrigins) for (const oldest of [...heard.keys()].slice(0, 1)) heard.delete(oldest);
    for (const reader of waiting) if (isHeard(reader.names)) reader.resolve(true);
  }

  return {
    hear,
    takeAsHeard(names) {
      for (const [, origin = '', sequence] of names.matchAll(tokens)) {
        hear({ origin, sequence: Number(sequence) });
      }
    },
    async haveHeard(names, patienceMs) {
      if (isHeard(names)) return true;
      return new Promise((resolve) => {
        const finish = (result: boolean) => {
          clearTimeout(timer);
          waiting.delete(reader);
          resolve(result);
        };
        const timer = setTimeout(() => finish(false), patienceMs);
        const reader: Waiting = { names, resolve: finish };
        waiting.add(reader);
      });
    },
  };
}
