import { readdir, readFile, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from '@birdhub/shared/errors';

/** Lists the files below a folder, relative to it; none if it is missing. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await undefinedIfMissing(readdir(folder, { recursive: true, withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

/** Lists the files below a folder that have the content of a clip, relative to the folder. */
export async function listClipsIn(folder: string, clipsDir: string): Promise<string[]> {
  const clips = await Promise.all(
    (await listFiles(clipsDir)).map(async (name) => {
      const path = join(clipsDir, name);
      const { size } = await stat(path);
      return { path, size };
    }),
  );
  const found: string[] = [];
  for (const name of await listFiles(folder)) {
    const { size } = await stat(join(folder, name));
    for (const clip of clips.filter((one) => one.size === size)) {
      const [own, other] = await Promise.all([readFile(join(folder, name)), readFile(clip.path)]);
      if (!own.equals(other)) continue;
      found.push(name);
      break;
    }
  }
  return found;
}

/** Removes the empty folders below a folder, and the folder itself if it is empty then. */
export async function removeEmptyFolders(folder: string): Promise<void> {
  const entries = await undefinedIfMissing(readdir(folder, { withFileTypes: true }));
  for (const entry of entries ?? [])
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
  });
}
