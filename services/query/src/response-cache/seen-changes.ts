import type { ChangeNotice } from '@birdhub/shared/db';

interface Waiting {
  readonly tokens: string;
  readonly resolve: (isSeen: boolean) => void;
}

/** More processes than a hub ever has; those that are long gone are forgotten. */
const maxOrigins = 1_000;
const tokenPattern = /([\w-]{1,64}):(\d{1,15})/g;

/** Which change notices of other processes have reached this one. */
export class SeenChanges {
  readonly #highest = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  add({ origin, sequence }: Pick<ChangeNotice, 'origin' | 'sequence'>): void {
    const highest = Math.max(sequence, this.#highest.get(origin) ?? 0);
    this.#highest.delete(origin);
    this.#highest.set(origin, highest);
    const [oldest] = this.#highest.keys();
    if (this.#highest.size > maxOrigins && oldest !== undefined) this.#highest.delete(oldest);
    for (const reader of this.#waiting) if (this.has(reader.tokens)) reader.resolve(true);
  }

  /** Counts the changes that a consistency token names as seen, so that nobody waits for them any more. */
  addTokens(tokens: string): void {
    for (const [, origin = '', sequence] of tokens.matchAll(tokenPattern)) {
      this.add({ origin, sequence: Number(sequence) });
    }
  }

  /** Whether all changes that a consistency token names are seen. */
  has(tokens: string): boolean {
    for (const [, origin = '', sequence] of tokens.matchAll(tokenPattern)) {
      if ((this.#highest.get(origin) ?? 0) < Number(sequence)) return false;
    }
    return true;
  }

  /** Resolves to true once all changes that a consistency token names are seen, to false after the timeout. */
  async waitFor(tokens: string, timeoutMs: number): Promise<boolean> {
    if (this.has(tokens)) return true;
    return new Promise((resolve) => {
      const finish = (isSeen: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(reader);
        resolve(isSeen);
      };
      const timer = setTimeout(() => finish(false), timeoutMs);
      const reader: Waiting = { tokens, resolve: finish };
      this.#waiting.add(reader);
    });
  }
}
