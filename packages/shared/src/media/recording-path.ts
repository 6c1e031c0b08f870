import { join } from 'node:path';

/** Processors name their files with or without the folder that web front ends load them from. */
const publicFolder = 'data/recordings/';
const longestPath = 512;

const isControl = (letter: string) => letter < ' ' || letter === '\u007f';

/** What is wrong with the path of a recording's file, in words; undefined when nothing is. */
export function checkVideoPath(path: string): string | undefined {
  if (path.length > longestPath) return `must be at most ${longestPath} characters`;
  if ([...path].some(isControl)) return 'must not have control characters';
  if (path.includes('\\')) return 'must be separated by /';
  if (path.startsWith('/')) return 'must be relative';
  const segments = pathInRecordings(path).split('/');
  if (segments.includes('')) return 'must name a file, without empty parts';
  if (segments.includes('.') || segments.includes('..')) return 'must not have the parts . or ..';
  return undefined;
}

/** The path inside the recordings tree, which is also the one below `/data/recordings/`. */
export function pathInRecordings(path: string): string {
  return path.startsWith(publicFolder) ? path.slice(publicFolder.length) : path;
}

/**
 * The file that a recording's path names.
 * @throws RangeError for a path that `checkVideoPath` refuses
 */
export function recordingFile(recordingsDir: string, videoPath: string): string {
  const problem = checkVideoPath(videoPath);
  if (problem !== undefined) throw new RangeError(`the path of a recording ${problem}`);
  return join(recordingsDir, pathInRecordings(videoPath));
}
