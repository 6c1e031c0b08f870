const maxOrigins = 16;
const plainToken = /^([\w-]{1,64}):(\d{1,15})$/;

/**
 * The newest change of each process that wrote through this gateway, for the last sixteen processes. Reads forward them
 * to the services, so that clients read their own writes.
 */
export class ConsistencyTokens {
  readonly #sequences = new Map<string, number>();
  #header = '';

  /** Value of `x-hub-consistency-token` for reads; empty before the first write. */
  get header(): string {
    return this.#header;
  }

  /** Stores the `x-hub-consistency-token` of a response: comma-separated `origin:sequence`. */
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
