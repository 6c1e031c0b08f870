import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { weakTag } from '@birdhub/shared/app';
import type { Change } from '@birdhub/shared/db';
import { Negotiator } from '@fastify/accept-negotiator';

/** The supported content codings, preferred first. */
const encodings = ['br', 'gzip'] as const;
const negotiator = new Negotiator({ supportedValues: [...encodings] });

/** A content coding (RFC 9110 §8.4.1). */
export type Encoding = (typeof encodings)[number];

/** Returns the coding preferred by `Accept-Encoding`; undefined for none. */
export function chooseEncoding(acceptEncoding: string | string[] | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  return (negotiator.negotiate(String(acceptEncoding).toLowerCase()) ?? undefined) as Encoding | undefined;
}

/** Smaller bodies are not compressed, as they fit into one packet. */
const minCompressedBytes = 1_024;
const brotliQuality = 5;
/** 256 KB: lists repeat at short distances, and larger windows cost memory and time. */
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

/** A cached response: its JSON, plain and compressed, and its headers. */
export class CacheEntry {
  readonly key: string;
  readonly body: Buffer;
  /** Weak, and thus the same for all content codings. */
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

  /** Size of the body in all codings, in bytes. */
  get bytes(): number {
    return [...this.#compressed.values()].reduce((sum, { length }) => sum + length, this.body.length);
  }

  get isCompressible(): boolean {
    return this.body.length >= minCompressedBytes;
  }

  /** Returns the compressed body, if {@link compress} was called. */
  find(encoding: Encoding): Buffer | undefined {
    return this.#compressed.get(encoding);
  }

  /** Compresses the body on the thread pool, once for concurrent callers. */
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

/** Assumed overhead: a small body may retain a page of Node's buffer pool, and each change scans all entries. */
const entryOverheadBytes = 8_192;

interface StoredEntry {
  readonly entry: CacheEntry;
  readonly tags: CacheTags;
  bytes: number;
}

/** An LRU cache of responses by key. */
export class EntryStore {
  readonly #maxBytes: number;
  readonly #stored = new Map<string, StoredEntry>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  find(key: string): CacheEntry | undefined {
    const stored = this.#stored.get(key);
    if (!stored) return undefined;
    this.#stored.delete(key);
    this.#stored.set(key, stored);
    return stored.entry;
  }

  put(entry: CacheEntry, tags: CacheTags): void {
    this.#remove(entry.key);
    const stored = { entry, tags, bytes: entry.bytes + entryOverheadBytes };
    this.#stored.set(entry.key, stored);
    this.#bytes += stored.bytes;
    this.#evict();
  }

  /** Updates the size of an entry that was compressed since. */
  recount(entry: CacheEntry): void {
    const stored = this.#stored.get(entry.key);
    if (stored?.entry !== entry) return;
    const bytes = entry.bytes + entryOverheadBytes;
    this.#bytes += bytes - stored.bytes;
    stored.bytes = bytes;
    this.#evict();
  }

  /** Removes the entries that a change invalidates. */
  invalidate(change: Change): void {
    for (const [key, { tags }] of this.#stored) if (isInvalidatedBy(tags, change)) this.#remove(key);
  }

  clear(): void {
    this.#stored.clear();
    this.#bytes = 0;
  }

  #remove(key: string): void {
    this.#bytes -= this.#stored.get(key)?.bytes ?? 0;
    this.#stored.delete(key);
  }

  #evict(): void {
    for (const oldest of this.#stored.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#remove(oldest);
    }
  }
}

/** A closed span of time in ms since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The data that a response depends on; a change of it invalidates the response. */
export interface CacheTags {
  /** Recordings and visits of a span, or all. */
  readonly recordings?: Span | 'all';
  readonly species?: true;
  readonly settings?: true;
  readonly weather?: true;
  readonly foods?: true;
}

/** Margin of a span: detections may extend a minute past their recording, and visits may join within the gap. */
const marginMs = 120_000;

/** Whether a change may have changed a response with these tags. */
export function isInvalidatedBy({ recordings, ...otherTags }: CacheTags, change: Change): boolean {
  if (change.kind === 'everything') return true;
  if (change.kind === 'tokens') return false;
  if (change.kind !== 'recordings') return otherTags[change.kind] === true;
  if (recordings === undefined || recordings === 'all') return recordings === 'all';
  return change.from <= recordings.to + marginMs && change.to >= recordings.from - marginMs;
}
