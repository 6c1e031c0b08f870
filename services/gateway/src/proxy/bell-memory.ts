const mostOrigins = 16;
const plainToken = /^([\w-]{1,64}):(\d{1,15})$/;

/**
 * The newest ring of each process that wrote through this gateway. Reads carry them to the services, so that
 * whoever wrote something sees it in what it reads next.
 */
export interface BellMemory {
  /** Takes the `x-hub-bell` of an answer: `origin:sequence`, several with commas. */
  remember(tokens: string): void;
  /** What reads carry as `x-hub-bell`; empty when nobody has rung. */
  tokens(): string;
}

/** Remembers the sixteen processes that rang last. */
export function createBellMemory(): BellMemory {
  const sequences = new Map<string, number>();
  let written = '';

  function rememberOne(origin: string, sequence: number): void {
    const known = sequences.get(origin) ?? -1;
    sequences.delete(origin);
    sequences.set(origin, Math.max(known, sequence));
    const [oldest] = sequences.keys();
    if (sequences.size > mostOrigins && oldest !== undefined) sequences.delete(oldest);
  }

  return {
    remember(tokens) {
      for (const token of tokens.split(',')) {
        const [, origin, sequence] = plainToken.exec(token.trim()) ?? [];
        if (origin !== undefined) rememberOne(origin, Number(sequence));
      }
      written = [...sequences].map(([origin, sequence]) => `${origin}:${sequence}`).join(',');
    },
    tokens: () => written,
  };
}
