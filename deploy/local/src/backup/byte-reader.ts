/** Takes bytes from a stream of chunks as many at a time as one asks for. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next so many bytes. @throws when the stream ends before */
  async take(count: number): Promise<Buffer> {
    const parts = [this.#rest];
    let length = this.#rest.length;
    while (length < count) {
      const next = await this.#chunks.next();
      if (next.done) throw new Error('it ends too early');
      parts.push(next.value);
      length += next.value.length;
    }
    const all = parts.length === 1 ? this.#rest : Buffer.concat(parts, length);
    this.#rest = all.subarray(count);
    return all.subarray(0, count);
  }

  /** Reads to the end, so that whoever checks the stream has seen all of it. */
  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
