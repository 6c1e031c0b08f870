const startOfImage = Buffer.from([0xff, 0xd8, 0xff]);
const endOfImage = Buffer.from([0xff, 0xd9]);
const lineFeed = 10;
const carriageReturn = 13;
const maxHeadBytes = 8_192;

/** Thrown when a picture exceeds the size limit. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError';
}

/** The content of a part whose head is complete. */
interface Part {
  /** Position of its first byte. */
  readonly from: number;
  /** Undefined when it ends with the next boundary. */
  readonly length: number | undefined;
}

/**
 * Extracts JPEG pictures from a multipart stream, by the `Content-Length` of parts, which nearly all cameras send, else
 * by boundaries. The work is proportional to the number of bytes, however small the chunks are.
 */
export class JpegFrames {
  readonly #maxBytes: number;
  readonly #boundary: Buffer;
  readonly #pending = new PendingBytes();
  /** Position of the boundary before the current head. */
  #start: number | undefined;
  #part: Part | undefined;
  /** Start of the pending bytes that have not been searched yet. */
  #searched = 0;

  constructor(boundary: string, maxBytes: number) {
    this.#boundary = Buffer.from(`--${boundary.replace(/^--/, '')}`);
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk; returns the completed pictures. @throws FrameTooLargeError */
  push(chunk: Buffer): Buffer[] {
    this.#pending.add(chunk);
    const frames: Buffer[] = [];
    for (let part = this.#takePart(); part !== undefined; part = this.#takePart()) {
      if (part.subarray(0, 3).equals(startOfImage)) frames.push(part);
    }
    if (this.#pending.bytes.length > this.#maxBytes)
      throw new FrameTooLargeError('a picture does not end within the limit');
    return frames;
  }

  #takePart(): Buffer | undefined {
    this.#part ??= this.#readHead();
    if (!this.#part) return undefined;
    const { bytes } = this.#pending;
    const { from, length } = this.#part;
    const to = length === undefined ? this.#findBoundary() : from + length;
    if (to === undefined || to > bytes.length) return undefined;
    const part = Buffer.from(bytes.subarray(from, to));
    this.#pending.drop(to);
    this.#start = this.#part = undefined;
    this.#searched = 0;
    const last = part.lastIndexOf(endOfImage);
    return last < 0 ? part : part.subarray(0, last + 2);
  }

  /** Returns the next part; undefined until its head is complete. @throws FrameTooLargeError */
  #readHead(): Part | undefined {
    this.#start ??= this.#findBoundary();
    const start = this.#start;
    if (start === undefined) return undefined;
    const { bytes } = this.#pending;
    const size = sizeOfHead(bytes.subarray(this.#searched, start + maxHeadBytes));
    if (size === undefined) {
      if (bytes.length - start >= maxHeadBytes) throw new FrameTooLargeError('a head is too large');
      this.#searched = Math.max(this.#searched, bytes.length - 2);
      return undefined;
    }
    const from = this.#searched + size;
    const declared = /content-length:\s*(\d{1,9})/i.exec(bytes.toString('latin1', start, from))?.[1];
    const length = declared === undefined ? undefined : Number(declared);
    if (length !== undefined && length > this.#maxBytes)
      throw new FrameTooLargeError('a picture is too large');
    this.#searched = from;
    return { from, length };
  }

  #findBoundary(): number | undefined {
    const { bytes } = this.#pending;
    const at = bytes.indexOf(this.#boundary, this.#searched);
    this.#searched = at < 0 ? Math.max(this.#searched, bytes.length - this.#boundary.length + 1) : at;
    return at < 0 ? undefined : at;
  }
}

/**
 * Returns the number of bytes up to the end of the first empty line; undefined without one. The lines of some cameras
 * end without a carriage return. Bytes after the head are not read, as a chunk may have many small parts.
 */
function sizeOfHead(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) {
    const next = bytes[at + 1] === carriageReturn ? at + 2 : at + 1;
    if (bytes[next] === lineFeed) return next + 1;
  }
  return undefined;
}

/** Bytes in one buffer, which doubles when it is full. */
class PendingBytes {
  #buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** Valid until the next call of `add`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  add(chunk: Buffer): void {
    if (this.#end + chunk.length > this.#buffer.length) this.#makeSpace(chunk.length);
    this.#end += chunk.copy(this.#buffer, this.#end);
  }

  /** Removes bytes from the start. */
  drop(count: number): void {
    this.#start += count;
  }

  /** Moves the bytes to the start, in the same buffer if they fill less than half of it. */
  #makeSpace(count: number): void {
    const { bytes } = this;
    const needed = bytes.length + count;
    if (needed > this.#buffer.length / 2) this.#buffer = Buffer.allocUnsafe(2 * needed);
    bytes.copy(this.#buffer);
    this.#start = 0;
    this.#end = bytes.length;
  }
}
