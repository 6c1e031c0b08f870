import { Transform, type TransformCallback } from 'node:stream';

const publish = 3;
const maxHeaderBytes = 5;
/** Topic, packet id and properties fit into it. */
const keptBytes = 131_072;

/** Options of a {@link PacketTrimmer}. */
export interface TrimmerOptions {
  /** Maximum size of a packet after its fixed header. */
  readonly maxBytes: number;
  /** Called while the rest of a packet is dropped. */
  readonly onDropped?: () => void;
}

/**
 * Passes the packets of a broker and cuts off messages that are too large, so that they can be acknowledged without being
 * held in memory: a message that is not acknowledged would be delivered again for ever.
 */
export class PacketTrimmer extends Transform {
  readonly #options: TrimmerOptions;
  /** The bytes of an incomplete fixed header. */
  #header: number[] = [];
  /** Bytes of the current packet to pass, then to drop. */
  #passing = 0;
  #dropping = 0;
  #messages = 0;
  /** Original sizes of trimmed messages by their number on this connection. */
  readonly #trimmed = new Map<number, number>();

  constructor(options: TrimmerOptions) {
    super();
    this.#options = options;
  }

  /** Returns the original size of a message by its number, which starts at 1; undefined if it was not trimmed. */
  takeSize(message: number): number | undefined {
    const size = this.#trimmed.get(message);
    this.#trimmed.delete(message);
    return size;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    for (let at = 0; at < chunk.length; ) {
      const rest = chunk.length - at;
      if (this.#passing > 0) {
        const count = Math.min(this.#passing, rest);
        this.push(chunk.subarray(at, at + count));
        this.#passing -= count;
        at += count;
      } else if (this.#dropping > 0) {
        const count = Math.min(this.#dropping, rest);
        this.#dropping -= count;
        at += count;
        this.#options.onDropped?.();
      } else {
        this.#readHeader(chunk[at] ?? 0);
        at += 1;
      }
    }
    done();
  }

  #readHeader(byte: number): void {
    const header = this.#header;
    header.push(byte);
    const isComplete = header.length > 1 && byte < 0x80;
    if (!isComplete && header.length < maxHeaderBytes) return;
    this.#header = [];
    // A malformed length is left to the client.
    this.#passing = isComplete ? lengthIn(header) : Number.POSITIVE_INFINITY;
    if ((header[0] ?? 0) >> 4 === publish) this.#messages += 1;
    else return void this.push(Buffer.from(header));
    if (!isComplete || this.#passing <= this.#options.maxBytes) return void this.push(Buffer.from(header));
    this.#trimmed.set(this.#messages, this.#passing);
    const kept = Math.min(keptBytes, this.#options.maxBytes);
    this.#dropping = this.#passing - kept;
    this.#passing = kept;
    this.push(Buffer.from([header[0] ?? 0, ...encodeLength(kept)]));
  }
}

/** Returns the remaining length in a fixed header (MQTT 5 section 1.5.5). */
function lengthIn([, ...digits]: readonly number[]): number {
  return digits.reduce((sum, digit, index) => sum + (digit & 0x7f) * 128 ** index, 0);
}

function encodeLength(length: number): number[] {
  const digits: number[] = [];
  let rest = length;
  do {
    const digit = rest % 128;
    rest = Math.floor(rest / 128);
    digits.push(rest > 0 ? digit | 0x80 : digit);
  } while (rest > 0);
  return digits;
}
