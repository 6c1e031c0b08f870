import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { weakTag } from '@birdhub/shared/app';
import { Negotiator } from '@fastify/accept-negotiator';

/** The content codings that responses are compressed with, the preferred one first. */
const encodings = ['br', 'gzip'] as const;
const negotiator = new Negotiator({ supportedValues: [...encodings] });

/** A content coding (RFC 9110 §8.4.1). */
export type Encoding = (typeof encodings)[number];

/** The coding that `Accept-Encoding` asks for; undefined for none. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  return (negotiator.negotiate(String(acceptEncoding).toLowerCase()) ?? undefined) as Encoding | undefined;
}

/** Smaller bodies are not compressed: a packet holds about as much. */
const minCompressedBytes = 1_024;
const brotliQuality = 5;
/** 256 KB: repetitions in lists of items are near each other, and larger windows cost memory and time. */
const brotliWindowBits = 18;

const compressors: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
        [constants.BROTLI_PARAM_LGWIN]: brotliWindowBits,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify<Buffer, Buffer>(gzip)(body),
};

/** A finished response: the bytes of its JSON, plain and compressed, and the headers that go with them. */
export class CacheEntry {
  readonly key: string;
  readonly body: Buffer;
  /** Weak, and thus the same for every content coding. */
  readonly etag: string;
  /** The `Link` header. */
  readonly link: string | undefined;
  readonly #compressed = new Map<Encoding, Buffer>();
  readonly #compressing = new Map<Encoding, Promise<void>>();

  constructor(key: string, json: string | Buffer, link?: string) {
    this.key = key;
    this.body = typeof json === 'string' ? Buffer.from(json) : json;
    this.etag = weakTag(this.body, link ?? '');
    this.link = link;
  }

  /** Bytes of the body in all its codings. */
  get bytes(): number {
    return [...this.#compressed.values()].reduce((sum, { length }) => sum + length, this.body.length);
  }

  get isCompressible(): boolean {
    return this.body.length >= minCompressedBytes;
  }

  /** The compressed body, once {@link compress} has made it. */
  find(encoding: Encoding): Buffer | undefined {
    return this.#compressed.get(encoding);
  }

  /** Compresses the body on the thread pool, once for all who wait for it. */
  async compress(encoding: Encoding): Promise<void> {
    if (this.#compressed.has(encoding)) return;
    let running = this.#compressing.get(encoding);
    if (!running) {
      running = compressors[encoding](this.body)
        .then((compressed) => void this.#compressed.set(encoding, compressed))
        .finally(() => this.#compressing.delete(encoding));
      this.#compressing.set(encoding, running);
    }
    await running;
  }
}
