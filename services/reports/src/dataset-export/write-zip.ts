import { startThread } from '../start-thread.js';
import { mapAhead } from './map-ahead.js';
import type { DatedFile } from './write-dataset.js';

/** A stretch of the bytes of a batch: a whole file, a piece of a long one, or the last piece of it. */
interface ZipPart {
  readonly kind: 'whole' | 'piece' | 'end';
  readonly name: string;
  readonly date: Date;
  readonly bytes: number;
}

/** What the thread of an archive is sent: messages cost more than small files. */
export interface ZipBatch {
  readonly parts: readonly ZipPart[];
  /** The bytes of all parts, one after the other. */
  readonly content: Uint8Array<ArrayBuffer>;
  readonly isLast: boolean;
}

const batchBytes = 256 * 1024;
/** One is written to the archive while the next one is read. */
const batchesAtOnce = 2;
/** An entry takes 1 KB until the end of its archive. */
const resourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 8 };

type PartWithContent = Omit<ZipPart, 'bytes'> & { readonly content: Buffer };

async function* toParts(files: AsyncIterable<DatedFile>): AsyncGenerator<PartWithContent> {
  for await (const { name, content, date } of files) {
    if (Buffer.isBuffer(content)) {
      yield { kind: 'whole', name, date, content };
      continue;
    }
    for await (const piece of content()) yield { kind: 'piece', name, date, content: piece };
    yield { kind: 'end', name, date, content: Buffer.alloc(0) };
  }
}

/** A batch with a copy of the contents: others may use them when their memory has gone to the thread. */
function toBatch(given: readonly PartWithContent[], isLast = false): ZipBatch {
  const parts = given.map(({ content, ...part }) => ({ ...part, bytes: content.length }));
  const content = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes, 0));
  let at = 0;
  for (const part of given) {
    content.set(part.content, at);
    at += part.content.length;
  }
  return { parts, content, isLast };
}

async function* inBatches(files: AsyncIterable<DatedFile>): AsyncGenerator<ZipBatch> {
  let waiting: PartWithContent[] = [];
  let bytes = 0;
  for await (const part of toParts(files)) {
    waiting.push(part);
    bytes += part.content.length;
    if (bytes < batchBytes) continue;
    yield toBatch(waiting);
    waiting = [];
    bytes = 0;
  }
  if (waiting.length) yield toBatch(waiting);
}

/** A thread that writes one archive: its directory is made in one go, which the service must not wait for. */
class ZipThread {
  readonly #worker = startThread(new URL('./zip-worker.js', import.meta.url), { resourceLimits });
  #waiting: { resolve(blocks: Uint8Array<ArrayBuffer>[]): void; reject(reason: unknown): void }[] = [];
  #failure: unknown;

  constructor() {
    this.#worker.on('message', (blocks) => this.#waiting.shift()?.resolve(blocks));
    this.#worker.once('error', (error) => this.#fail(error));
    this.#worker.once('exit', (code) => this.#fail(new Error(`the thread of an archive ended with ${code}`)));
  }

  /** Returns the blocks of the archive that are full after a batch; replies come in the order of batches. */
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

async function* writeBlocks(files: AsyncIterable<DatedFile>): AsyncGenerator<Buffer> {
  let thread: ZipThread | undefined;
  const add = (batch: ZipBatch) => {
    thread ??= new ZipThread();
    return thread.add(batch);
  };
  try {
    for await (const blocks of mapAhead(inBatches(files), batchesAtOnce, add)) yield* blocks;
    if (thread) yield* await add(toBatch([], true));
  } finally {
    await thread?.close();
  }
}

/** Goes on after a first value; whoever leaves early ends the rest, even when nothing of it was asked for. */
function goOn<T>(first: T, rest: AsyncGenerator<T>): AsyncIterable<T> {
  let begin: T | undefined = first;
  const next = async (): Promise<IteratorResult<T>> => {
    if (begin === undefined) return rest.next();
    const value = begin;
    begin = undefined;
    return { value, done: false };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return(undefined) }) };
}

/**
 * The files as a ZIP archive, pictures as they are; undefined when there are no files. The next file is asked for when
 * the reader has taken those before, and the reader's leaving ends the asking.
 */
export async function writeZip(files: AsyncIterable<DatedFile>): Promise<AsyncIterable<Buffer> | undefined> {
  const blocks = writeBlocks(files);
  const first = await blocks.next();
  if (first.done) return undefined;
  return goOn(first.value, blocks);
}
