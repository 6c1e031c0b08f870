const maxOrigins = 16;
const plainToken = /^([\w-]{1,64}):(\d{1,15})$/;

/**
 * The newest change of each process that wrote through this gateway. Reads carry them to the services, so that clients
 * read their own writes. Keeps the sixteen processes that wrote last.
 */
export class ConsistencyTokens {
  readonly #sequences = new Map<string, number>();
  #header = '';

  /** What reads carry as `x-hub-consistency-token`; empty before the first write. */
  get header(): string {
    return this.#header;
  }

  /** Takes the `x-hub-consistency-token` of a response: `origin:sequence`, several with commas. */
  remember(tokens: string): void {
    for (const token of tokens.split(',')) {
      const [, origin, sequence] = plainToken.exec(token.trim()) ?? [];
      if (origin !== undefined) this.#rememberOne(origin, Number(sequence));
    }
    this.#header = [...this.#sequences].map(([origin, sequence]) => `${origin}:${sequence}`).join(',');
  }

  #rememberOne(origin: string, sequence: number): void {
    const known = this.#sequences.get(origin) ?? -1;
    this.#sequences.delete(origin);
    this.#sequences.set(origin, Math.max(known, sequence));
    const [oldest] = this.#sequences.keys();
    if (this.#sequences.size > maxOrigins && oldest !== undefined) this.#sequences.delete(oldest);
  }
}
