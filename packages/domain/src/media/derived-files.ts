import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const perFolder = 1_000;

/**
 * Where things of one kind are kept that are made of a recording, `crops` for one: a folder of its own below
 * `DATA_DIR/derived`, so that they can go with the recording.
 */
export function derivedFolder(dataDir: string, kind: string, videoId: number): string {
  return join(dataDir, 'derived', kind, String(Math.floor(videoId / perFolder)), String(videoId));
}

async function listKinds(dataDir: string): Promise<string[]> {
  try {
    const entries = await readdir(join(dataDir, 'derived'), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Removes whatever was made of a recording; it can be made again as long as the file of that is there. */
export async function removeDerived(dataDir: string, videoId: number): Promise<void> {
  for (const kind of await listKinds(dataDir)) {
    await rm(derivedFolder(dataDir, kind, videoId), { recursive: true, force: true });
  }
}
