import { join } from 'node:path';

/** Processors name their files with or without the folder that web front ends load them from. */
const publicFolder = 'data/recordings/';
const maxPathLength = 512;

const isControl = (letter: string) => letter < ' ' || letter === '\u007f';

/** What is wrong with a path inside the recordings tree, in words; undefined when nothing is. */
export function checkPathInRecordings(path: string): string | undefined {
  if (path.length > maxPathLength) return `must be at most ${maxPathLength} characters`;
  if ([...path].some(isControl)) return 'must not have control characters';
  if (path.includes('\\')) return 'must be separated by /';
  const segments = path.split('/');
  if (segments.includes('')) return 'must name a file, without empty parts';
  if (segments.includes('.') || segments.includes('..')) return 'must not have the parts . or ..';
  return undefined;
}

/**
 * What is wrong with the path of a recording's file as it is given to the hub, in words; undefined when nothing is.
 * With `data/recordings/` in front or without, but not twice, which would be ambiguous.
 */
export function checkVideoPath(path: string): string | undefined {
  if (path.length > maxPathLength) return `must be at most ${maxPathLength} characters`;
  if (path.startsWith('/')) return 'must be relative';
  const inside = pathInRecordings(path);
  const problem = checkPathInRecordings(inside);
  if (problem !== undefined) return problem;
  return `${inside}/`.startsWith(publicFolder)
    ? `must have ${publicFolder} in front at most once`
    : undefined;
}

/** The one spelling under which a checked path is stored, so that each file has one name: `data/recordings/…`. */
export function canonicalVideoPath(path: string): string {
  return videoPathOf(pathInRecordings(path));
}

/** The path of a recording whose file has a path inside the recordings tree. */
export function videoPathOf(path: string): string {
  return publicFolder + path;
}

/** The path inside the recordings tree of a stored one, which is also the one below `/data/recordings/`. */
export function pathInRecordings(path: string): string {
  return path.startsWith(publicFolder) ? path.slice(publicFolder.length) : path;
}

/** SQL: whether a stored path names the file that the SQL text `path` names inside the tree; see {@link pathInRecordings}. */
export function namesFile(column: string, path: string): string {
  const bare = `CASE WHEN starts_with(${path}, '${publicFolder}') THEN NULL ELSE ${path} END`;
  return `${column} IN ('${publicFolder}' || ${path}, ${bare})`;
}

/**
 * The file of a path inside the recordings tree.
 * @throws RangeError for a path that `checkPathInRecordings` refuses
 */
export function fileInRecordings(recordingsDir: string, path: string): string {
  const problem = checkPathInRecordings(path);
  if (problem !== undefined) throw new RangeError(`the path of a recording ${problem}`);
  return join(recordingsDir, path);
}

/**
 * The file that a recording's stored path names.
 * @throws RangeError for a path that leads out of the tree
 */
export function recordingFile(recordingsDir: string, videoPath: string): string {
  return fileInRecordings(recordingsDir, pathInRecordings(videoPath));
}
