import { constants, type FileHandle, open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { errorCode } from '@birdhub/shared/errors';
import type pg from 'pg';

const maxRotated = 9;
const chunkBytes = 65_536;
/** Maximum bytes read from the end of a file. */
const maxBytes = 8 * 1_048_576;
const newline = 0x0a;

/** Longer lines are cut. */
export const maxLineBytes = 4_096;

/** Control characters (except tab), direction marks and line separators: a log may contain untrusted text. */
const unsafe = /(?!\t)[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** One character more than the limit, to detect truncation. */
const postedSql = `
  SELECT left(line #>> '{}', ${maxLineBytes + 1}) AS line FROM (
    SELECT id, updated_at, data -> 'lines' AS lines FROM processor_activity
    WHERE type = 'log' ORDER BY updated_at DESC, id DESC LIMIT $1
  ) row, jsonb_array_elements(CASE jsonb_typeof(lines) WHEN 'array' THEN lines ELSE '[]' END)
    WITH ORDINALITY posted (line, number)
  ORDER BY updated_at DESC, id DESC, number DESC LIMIT $1`;

/** Returns the last lines of a log, oldest first, across its rotated files (`.1`, `.2`, …); undefined without a file. */
export async function readLog(path: string, lines: number): Promise<string[] | undefined> {
  let found: string[] | undefined;
  for (let number = 0; number <= maxRotated; number += 1) {
    const tail = await readTail(number ? `${path}.${number}` : path, lines - (found?.length ?? 0));
    // Right after a rotation the first file does not exist yet.
    if (!tail && number > 0) break;
    if (tail) found = [...tail.lines, ...(found ?? [])];
    if (tail && (!tail.isWhole || (found?.length ?? 0) >= lines)) break;
  }
  return found;
}

/** Returns the last lines that processors posted to the activity log, oldest first. */
export async function readPostedLines(pool: pg.Pool, lines: number): Promise<string[]> {
  const { rows } = await pool.query<{ line: string | null }>({
    name: 'posted-log-lines',
    text: postedSql,
    values: [lines],
  });
  return rows.map(({ line }) => escapeText(line ?? 'null')).reverse();
}

/** The last lines of a file, oldest first. */
interface Tail {
  readonly lines: string[];
  /** Whether they are the entire file. */
  readonly isWhole: boolean;
}

/**
 * Reads the last lines of a file from its end, in constant memory. Returns undefined when it is not a regular file.
 * @throws any other error of the file system
 */
async function readTail(path: string, lines: number): Promise<Tail | undefined> {
  let file: FileHandle | undefined;
  try {
    // Opening a pipe must not block.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    const start = await findStart(file, stat.size, lines);
    return { lines: (await readLines(file, start, stat.size)).slice(-lines), isWhole: start === 0 };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  } finally {
    await file?.close();
  }
}

/** Finds the offset of the last lines; a final line break belongs to the last line. */
async function findStart(file: FileHandle, size: number, lines: number): Promise<number> {
  const min = Math.max(0, size - maxBytes);
  let missing = lines;
  for (let to = size; to > min; ) {
    const from = Math.max(min, to - chunkBytes);
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
  return min;
}

async function readLines(file: FileHandle, from: number, size: number): Promise<string[]> {
  const cutter = createLineCutter();
  for (let at = from; at < size; ) {
    const chunk = await readChunk(file, at, Math.min(at + chunkBytes, size));
    if (!chunk.length) break;
    cutter.add(chunk);
    at += chunk.length;
  }
  return cutter.finish();
}

/** Splits chunks into lines, truncated at the limit. */
function createLineCutter() {
  const lines: string[] = [];
  let parts: Buffer[] = [];
  let kept = 0;
  let length = 0;

  function add(part: Buffer): void {
    const room = part.subarray(0, maxLineBytes - kept);
    if (room.length) parts.push(Buffer.from(room));
    kept += room.length;
    length += part.length;
  }

  function endLine(): void {
    lines.push(escapeBytes(Buffer.concat(parts), length > kept));
    parts = [];
    kept = 0;
    length = 0;
  }

  return {
    add(chunk: Buffer): void {
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

async function readChunk(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(to - from), 0, to - from, from);
  return buffer.subarray(0, bytesRead);
}

/** Returns a line truncated at the limit, with control characters escaped. */
export function escapeText(line: string): string {
  const bytes = Buffer.from(line);
  return escapeBytes(bytes.subarray(0, maxLineBytes), bytes.length > maxLineBytes);
}

/** Returns a line with control characters escaped; invalid UTF-8 becomes U+FFFD. */
export function escapeBytes(line: Buffer, isCut: boolean): string {
  const decoder = new StringDecoder('utf8');
  // An incomplete character at the end stays in the decoder.
  const text = decoder.write(line);
  return isCut ? `${escapeControls(text)}…` : escapeControls((text + decoder.end()).replace(/\r$/, ''));
}

function escapeControls(text: string): string {
  return text.replace(unsafe, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
