import { on, once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { parentPort } from 'node:worker_threads';
import { ZipArchive, type ZipEntryData } from 'archiver';
import type { ZipBatch } from './write-zip.js';

/** The size of posted blocks: archiver writes chunks of a few bytes. */
const blockBytes = 128 * 1024;

const archive = new ZipArchive({ store: true });
let block = Buffer.allocUnsafeSlow(blockBytes);
let used = 0;
let full: Buffer<ArrayBuffer>[] = [];
let text: { readonly stream: PassThrough; readonly appended: Promise<void> } | undefined;

archive.on('data', (chunk) => {
  for (let at = 0; at < chunk.length; ) {
    const copied = chunk.copy(block, used, at);
    at += copied;
    used += copied;
    if (used < blockBytes) continue;
    full.push(block);
    block = Buffer.allocUnsafeSlow(blockBytes);
    used = 0;
  }
});

/** Takes the bytes of the current block that have not been posted yet. */
function takePartial(): Buffer<ArrayBuffer>[] {
  if (used === 0) return [];
  // Small buffers share memory and cannot be transferred.
  const partial = Buffer.allocUnsafeSlow(used);
  block.copy(partial, 0, 0, used);
  used = 0;
  return [partial];
}

async function append(content: Buffer | Readable, entry: ZipEntryData): Promise<void> {
  const appended = once(archive, 'entry');
  archive.append(content, entry);
  await appended;
}

/**
 * Starts a file of unknown length. Its length is written after its content, which readers only support if compressed.
 */
function startText(name: string, date: Date) {
  const stream = new PassThrough();
  return { stream, appended: append(stream, { name, date, store: false }) };
}

async function add({ parts, content }: ZipBatch): Promise<void> {
  let at = 0;
  for (const { kind, name, date, bytes } of parts) {
    const part = Buffer.from(content.buffer, at, bytes);
    at += bytes;
    if (kind === 'whole') {
      await append(part, { name, date });
      continue;
    }
    text ??= startText(name, date);
    if (!text.stream.write(part)) await Promise.race([once(text.stream, 'drain'), text.appended]);
    if (kind === 'piece') continue;
    text.stream.end();
    await text.appended;
    text = undefined;
  }
}

async function finish(): Promise<void> {
  await Promise.all([once(archive, 'end'), archive.finalize()]);
  full.push(block.subarray(0, used));
}

/** Runs the thread of one archive: replies to each batch with the completed blocks, and ends after the last one. */
async function run(port: NonNullable<typeof parentPort>): Promise<void> {
  let firstOutput: Promise<unknown> | undefined = once(archive, 'data');
  for await (const [batch] of on(port, 'message') as AsyncIterable<[ZipBatch]>) {
    await add(batch);
    if (batch.isLast) await finish();
    else if (firstOutput) {
      // The output of the first batch is posted before a block is complete.
      await firstOutput;
      full.push(...takePartial());
    }
    firstOutput = undefined;
    port.postMessage(
      full,
      full.map(({ buffer }) => buffer),
    );
    full = [];
    if (batch.isLast) return;
  }
}

if (parentPort) await run(parentPort);
