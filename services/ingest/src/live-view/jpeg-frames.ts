const startOfImage = Buffer.from([0xff, 0xd8, 0xff]);
const endOfImage = Buffer.from([0xff, 0xd9]);
/** The lines of some cameras end without a carriage return. */
const endOfHead = /\r?\n\r?\n/;
const maxHeadBytes = 8_192;

/** Thrown when a picture exceeds the size limit. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError';
}

/**
 * Extracts JPEG pictures from a multipart stream, by the `Content-Length` of parts, which nearly all cameras send, else
 * by boundaries.
 */
export class JpegFrames {
  readonly #maxBytes: number;
  readonly #boundary: Buffer;
  #pending: Buffer = Buffer.alloc(0);

  constructor(boundary: string, maxBytes: number) {
    this.#boundary = Buffer.from(`--${boundary.replace(/^--/, '')}`);
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk; returns the completed pictures. @throws FrameTooLargeError */
  push(chunk: Buffer): Buffer[] {
    this.#pending = this.#pending.length ? Buffer.concat([this.#pending, chunk]) : chunk;
    const frames: Buffer[] = [];
    for (let part = this.#takePart(); part !== undefined; part = this.#takePart()) {
      if (part.subarray(0, 3).equals(startOfImage)) frames.push(part);
    }
    if (this.#pending.length > this.#maxBytes)
      throw new FrameTooLargeError('a picture does not end within the limit');
    return frames;
  }

  #takePart(): Buffer | undefined {
    const start = this.#pending.indexOf(this.#boundary);
    if (start < 0) return undefined;
    const text = this.#pending.toString('latin1', start, start + maxHeadBytes);
    const end = endOfHead.exec(text);
    if (!end) return undefined;
    const head = text.slice(0, end.index);
    const from = start + end.index + end[0].length;
    const declared = Number(/content-length:\s*(\d{1,9})/i.exec(head)?.[1] ?? Number.NaN);
    if (declared > this.#maxBytes) throw new FrameTooLargeError('a picture is too large');
    const to = Number.isNaN(declared) ? this.#pending.indexOf(this.#boundary, from) : from + declared;
    if (to < 0 || to > this.#pending.length) return undefined;
    const part = Buffer.from(this.#pending.subarray(from, to));
    this.#pending = this.#pending.subarray(to);
    const last = part.lastIndexOf(endOfImage);
    return last < 0 ? part : part.subarray(0, last + 2);
  }
}
