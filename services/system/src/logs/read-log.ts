import { readTail } from './read-tail.js';

const mostRotated = 9;

/** The last lines of a log, oldest first, over the files it was rotated to (`.1`, `.2`, …); undefined without a file. */
export async function readLog(path: string, lines: number): Promise<string[] | undefined> {
  let found: string[] | undefined;
  for (let number = 0; number <= mostRotated; number += 1) {
    const tail = await readTail(number ? `${path}.${number}` : path, lines - (found?.length ?? 0));
    // Just after the rotation the first file is not there yet.
    if (!tail && number > 0) break;
    if (tail) found = [...tail.lines, ...(found ?? [])];
    if (tail && (!tail.isWhole || (found?.length ?? 0) >= lines)) break;
  }
  return found;
}
