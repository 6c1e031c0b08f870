import { createHash } from 'node:crypto';
import type { Entry } from './archive.js';

/** What the manifest says of a section, so that a reader knows that it has all of it. */
export type Digest = { readonly bytes: number; readonly sha256: string };

/** Content of any length, in an archive as numbered parts, `data/video/000001` and so on, or a single entry. */
export type Section = { readonly name: string; readonly chunks: AsyncIterable<Buffer> };

/** A section's numbered entries; at their end its digest. */
export async function* toEntries({ name, chunks }: Section): AsyncGenerator<Entry, Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  let part = 0;
  for await (const content of chunks) {
    hash.update(content);
    bytes += content.length;
    part += 1;
    yield { name: `${name}/${String(part).padStart(6, '0')}`, content };
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** The sections of an archive, to be read one after the other; what is not read of one is passed over. */
export async function* readSections(entries: AsyncIterator<Entry>): AsyncGenerator<Section> {
  let next = await entries.next();
  async function* readChunks(name: string) {
    for (; !next.done && sectionOf(next.value) === name; next = await entries.next()) {
      yield next.value.content;
    }
  }
  try {
    while (!next.done) {
      const name = sectionOf(next.value);
      yield { name, chunks: readChunks(name) };
      for await (const _ of readChunks(name));
    }
  } finally {
    await entries.return?.();
  }
}

/** The digest of chunks; each is also shown to `see`. */
export async function digest(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  see?: (chunk: Buffer) => Promise<void> | void,
): Promise<Digest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
    await see?.(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
}

function sectionOf({ name }: Entry): string {
  return name.replace(/\/\d+$/, '');
}
