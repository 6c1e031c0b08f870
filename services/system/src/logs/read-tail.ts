import { constants, type FileHandle, open } from 'node:fs/promises';
import { longestLine, showBytes } from './show-line.js';

const chunkBytes = 65_536;
/** However few line breaks there are, no more than this is read from the end of a file. */
const mostBytes = 8 * 1_048_576;
const newline = 0x0a;

/** The last lines of a file, oldest first. */
export interface Tail {
  readonly lines: string[];
  /** Whether there is nothing before them in the file. */
  readonly isWhole: boolean;
}

async function readChunk(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** Where so many lines begin that end with the file; a break at the very end ends the last line. */
async function findStart(file: FileHandle, size: number, lines: number): Promise<number> {
  const least = Math.max(0, size - mostBytes);
  let missing = lines;
  for (let to = size; to > least; ) {
    const from = Math.max(least, to - chunkBytes);
    const chunk = await readChunk(file, from, to);
    let at = to === size ? chunk.length - 1 : chunk.length;
    while (at > 0) {
      at = chunk.lastIndexOf(newline, at - 1);
      if (at < 0) break;
      missing -= 1;
      if (missing === 0) return from + at + 1;
    }
    to = from;
  }
  return least;
}

/** Splits what arrives into lines of which no more is kept than is shown. */
function createLineCutter() {
  const lines: string[] = [];
  let parts: Buffer[] = [];
  let kept = 0;
  let length = 0;

  function add(part: Buffer): void {
    const room = part.subarray(0, longestLine - kept);
    if (room.length) parts.push(Buffer.from(room));
    kept += room.length;
    length += part.length;
  }

  function endLine(): void {
    lines.push(showBytes(Buffer.concat(parts), length > kept));
    parts = [];
    kept = 0;
    length = 0;
  }

  return {
    take(chunk: Buffer): void {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, at));
        endLine();
        from = at + 1;
      }
      add(chunk.subarray(from));
    },
    finish(): string[] {
      if (length) endLine();
      return lines;
    },
  };
}

async function readLines(file: FileHandle, from: number, size: number): Promise<string[]> {
  const cutter = createLineCutter();
  for (let at = from; at < size; ) {
    const chunk = await readChunk(file, at, Math.min(at + chunkBytes, size));
    if (!chunk.length) break;
    cutter.take(chunk);
    at += chunk.length;
  }
  return cutter.finish();
}

/**
 * Reads the last lines of a file from its end, in constant memory; undefined when there is no such regular file.
 * @throws the error of the file system for any other reason
 */
export async function readTail(path: string, lines: number): Promise<Tail | undefined> {
  let file: FileHandle | undefined;
  try {
    // A pipe of this name must not hold up whoever opens it.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    const start = await findStart(file, stat.size, lines);
    return { lines: (await readLines(file, start, stat.size)).slice(-lines), isWhole: start === 0 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}
