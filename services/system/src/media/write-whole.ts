import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Writes a file, whole or not at all. */
export async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
