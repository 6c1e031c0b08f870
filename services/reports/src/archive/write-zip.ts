import { HubError } from '@birdhub/shared/errors';
import { startThread } from '@birdhub/shared/threads';
import { mapAhead } from './map-ahead.js';

/** A file of an archive, as one buffer or in chunks, and its modification time. */
export interface ArchiveFile {
  readonly name: string;
  readonly content: Buffer | (() => AsyncIterable<Buffer>);
  readonly date: Date;
}

/** A part of a batch: a whole file, a chunk of a long one, or its last chunk. */
interface ZipPart {
  readonly kind: 'whole' | 'piece' | 'end';
  readonly name: string;
  readonly date: Date;
  readonly bytes: number;
}

/** A message to the thread of an archive. Parts are batched, as a message costs more than a small file. */
export interface ZipBatch {
  readonly parts: readonly ZipPart[];
  /** The concatenated bytes of all parts. */
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isLast: boolean;
}

const batchBytes = 256 * 1024;
/** One batch is written to the archive while the next one is read. */
const maxBatches = 2;
/** Each entry takes 1 KB until the end of the archive. */
const resourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 8 };

/**
 * Writes the files as a ZIP archive, images uncompressed. Files are requested with back-pressure, and no longer when the
 * reader stops early.
 * @throws HubError dataset_empty when there are no files, which is known after the first one was requested
 */
export async function writeZip(files: AsyncIterable<ArchiveFile>): Promise<AsyncIterable<Buffer>> {
  const blocks = writeBlocks(files);
  const first = await blocks.next();
  if (first.done) throw new HubError('dataset_empty');
  return continueAfter(first.value, blocks);
}

/** Yields a first value and the rest; a reader that stops early closes the rest, even if it has not read any of it. */
function continueAfter<T>(first: T, rest: AsyncGenerator<T>): AsyncIterable<T> {
  let pending: T | undefined = first;
  const next = async (): Promise<IteratorResult<T>> => {
    if (pending === undefined) return rest.next();
    const value = pending;
    pending = undefined;
    return { value, done: false };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return(undefined) }) };
}

async function* writeBlocks(files: AsyncIterable<ArchiveFile>): AsyncGenerator<Buffer> {
  // Starts while the first file is read.
  const thread = new ZipThread();
  const add = (batch: ZipBatch) => thread.add(batch);
  const batches = toBatches(files);
  try {
    // The first batch is sent immediately, for a short time to first byte.
    const first = await batches.next();
    if (first.done) return;
    yield* await add(first.value);
    for await (const blocks of mapAhead(batches, maxBatches, add)) yield* blocks;
    yield* await add(toBatch([], true));
  } finally {
    await batches.return(undefined);
    await thread.close();
  }
}

/** A thread that writes one archive, as creating its directory would block the event loop. */
class ZipThread {
  readonly #worker = startThread(new URL('./zip-worker.js', import.meta.url), { resourceLimits });
  readonly #waiting: { resolve(blocks: Uint8Array<ArrayBuffer>[]): void; reject(reason: unknown): void }[] =
    [];
  #failure: unknown;

  constructor() {
    this.#worker.on('message', (blocks) => this.#waiting.shift()?.resolve(blocks));
    this.#worker.once('error', (error) => this.#fail(error));
    this.#worker.once('exit', (code) => this.#fail(new Error(`the thread of an archive ended with ${code}`)));
  }

  /** Returns the completed blocks of the archive after a batch; replies arrive in the order of batches. */
  async add(batch: ZipBatch): Promise<Buffer[]> {
    if (this.#failure) throw this.#failure;
    const reply = new Promise<Uint8Array<ArrayBuffer>[]>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#worker.postMessage(batch, [batch.content.buffer]);
    return (await reply).map(({ buffer, byteOffset, length }) => Buffer.from(buffer, byteOffset, length));
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(reason: unknown): void {
    this.#failure ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

type PartWithContent = Omit<ZipPart, 'bytes'> & { readonly content: Buffer };

/** Yields batches of about the same size, except that the first has a single part. */
async function* toBatches(files: AsyncIterable<ArchiveFile>): AsyncGenerator<ZipBatch, void, undefined> {
  let parts: PartWithContent[] = [];
  let bytes = 0;
  let isFirst = true;
  for await (const part of toParts(files)) {
    parts.push(part);
    bytes += part.content.length;
    if (bytes < batchBytes && !isFirst) continue;
    isFirst = false;
    yield toBatch(parts);
    parts = [];
    bytes = 0;
  }
  if (parts.length) yield toBatch(parts);
}

async function* toParts(files: AsyncIterable<ArchiveFile>): AsyncGenerator<PartWithContent> {
  for await (const { name, content, date } of files) {
    if (Buffer.isBuffer(content)) {
      yield { kind: 'whole', name, date, content };
      continue;
    }
    for await (const piece of content()) yield { kind: 'piece', name, date, content: piece };
    yield { kind: 'end', name, date, content: Buffer.alloc(0) };
  }
}

/**
 * Creates a batch with a copy of the contents, whose memory is transferred to the thread; that of the originals may be
 * shared.
 */
function toBatch(parts: readonly PartWithContent[], isLast = false): ZipBatch {
  const content = new Uint8Array(parts.reduce((sum, part) => sum + part.content.length, 0));
  let at = 0;
  for (const part of parts) {
    content.set(part.content, at);
    at += part.content.length;
  }
  return {
    parts: parts.map(({ content: { length: bytes }, ...part }) => ({ ...part, bytes })),
    content,
    isLast,
  };
}
