import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { FrameReader, Picture } from '@birdhub/domain/media';

type Decoded = readonly (Picture | undefined)[];

/**
 * Returns a reader that caches frames by file content and times, because starting ffmpeg takes longer than decoding a
 * short test clip.
 */
export function cacheFrames(reader: FrameReader): FrameReader {
  const cache = new Map<string, Decoded>();
  return {
    async read(file, times, make, signal) {
      const key = `${await digest(file)} ${times.join()}`;
      const decoded = cache.get(key) ?? (await reader.read(file, times, async (picture) => picture, signal));
      cache.set(key, decoded);
      return Promise.all(decoded.map((picture, index) => picture && make(picture, index)));
    },
  };
}

async function digest(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0);
  return createHash('sha256').update(buffer).digest('hex');
}
