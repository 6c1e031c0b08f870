import { insufficientStorage } from '../space-guard.js';

/** Space that an upload will still take; it counts for other uploads until the upload ends. */
export interface Reservation {
  /**
   * Called before `bytes` are written. Checks the space again from time to time.
   * @throws HubError insufficient_storage
   */
  take(bytes: number): Promise<void>;
  /** Called when the upload has ended. */
  release(): void;
}

/** Reads the free bytes of the disk, and throws when it is full; `needed` bytes will be written. */
type ReadSpace = (needed: number) => Promise<number | undefined>;

interface ReserveOptions {
  /** The bytes to be written; undefined when the length is unknown. */
  readonly needed: number | undefined;
  readonly readSpace: ReadSpace;
}

/** The space that running uploads of this process still need. */
export class UploadSpace {
  readonly #stepBytes: number;
  #reserved = 0;

  /** With unknown length, an upload reserves a step at a time; the space is checked after each step. */
  constructor(stepBytes: number) {
    this.#stepBytes = stepBytes;
  }

  /** @throws HubError insufficient_storage */
  async reserve({ needed, readSpace }: ReserveOptions): Promise<Reservation> {
    let pending = 0;
    let unchecked = 0;
    const change = (bytes: number) => {
      this.#reserved += bytes - pending;
      pending = bytes;
    };
    const check = async (bytes: number) => {
      const free = await readSpace(bytes);
      // Nothing may be awaited between the comparison and the reservation.
      if (free !== undefined && free - (this.#reserved - pending) < bytes) throw insufficientStorage();
      unchecked = 0;
      change(bytes);
    };
    await check(needed ?? this.#stepBytes);
    return {
      take: async (bytes) => {
        unchecked += bytes;
        if (unchecked > this.#stepBytes) await check(needed === undefined ? this.#stepBytes : pending);
        change(Math.max(pending - bytes, 0));
      },
      release: () => change(0),
    };
  }
}
