import { createHash } from 'node:crypto';
import { extname, join } from 'node:path';

/** The folder from which front ends load recordings; processors post paths with or without it. */
const publicFolder = 'data/recordings/';
const maxPathLength = 512;

const isControl = (letter: string) => letter < ' ' || letter === '\u007f';

/** Returns what is wrong with a path inside the recordings tree; undefined when it is valid. */
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
 * Returns what is wrong with the posted path of a recording's file; undefined when it is valid. The prefix
 * `data/recordings/` is optional and must not be repeated.
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

/**
 * Like {@link checkVideoPath} for paths that a client chooses now: names that begin with a dot are those of unfinished or
 * hidden files, which scans skip.
 */
export function checkPostedPath(path: string): string | undefined {
  const problem = checkVideoPath(path);
  if (problem !== undefined) return problem;
  const isHidden = pathInRecordings(path)
    .split('/')
    .some((name) => name.startsWith('.'));
  return isHidden ? 'must not have parts that begin with a dot' : undefined;
}

/** Returns the canonical form in which a checked path is stored: `data/recordings/…`. */
export function canonicalVideoPath(path: string): string {
  return videoPathOf(pathInRecordings(path));
}

/** Returns the stored path of a file by its path inside the recordings tree. */
export function videoPathOf(path: string): string {
  return publicFolder + path;
}

const plainName = /^[A-Za-z0-9][\w.-]{0,99}$/;

/** The properties that determine the path of a recording from a source. */
export interface SourceEventName {
  readonly sourceId: number;
  /** Id assigned by the source, any text. */
  readonly upstreamId: string;
  /** Ms since the epoch. */
  readonly start: number;
  /** Including the dot. */
  readonly extension: string;
}

/** Returns the path of a recording from a source; an id that is not a plain file name is hashed. */
export function sourceVideoPath({ sourceId, upstreamId, start, extension }: SourceEventName): string {
  const day = new Date(start).toISOString().slice(0, 10).replaceAll('-', '/');
  const isPlain = plainName.test(upstreamId) && !upstreamId.includes('..');
  const name = isPlain
    ? upstreamId
    : `x${createHash('sha256').update(upstreamId).digest('hex').slice(0, 40)}`;
  return videoPathOf(`sources/${sourceId}/${day}/${name}/clip${extension}`);
}

/**
 * Returns the path inside the recordings tree of a stored path; files are served under it below `/data/recordings/`.
 */
export function pathInRecordings(path: string): string {
  return path.startsWith(publicFolder) ? path.slice(publicFolder.length) : path;
}

/** SQL: the path inside the recordings tree of a stored path; see {@link pathInRecordings}. */
export function pathInRecordingsSql(column: string): string {
  return `regexp_replace(${column}, '^${publicFolder}', '')`;
}

/** Returns the folder of a path with its final slash; empty for a file in the root. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** SQL: the folder of a path; see {@link folderOf}. */
export const folderSql = (path: string): string => `regexp_replace(${path}, '[^/]*$', '')`;

/**
 * SQL: whether a stored path refers to the file that the SQL expression `path` names inside the tree; see
 * {@link pathInRecordings}.
 */
export function namesFile(column: string, path: string): string {
  const bare = `CASE WHEN starts_with(${path}, '${publicFolder}') THEN NULL ELSE ${path} END`;
  return `${column} IN ('${publicFolder}' || ${path}, ${bare})`;
}

/**
 * SQL: `any_camera`, a table of all values of `camera_id`. Joined with `video`, a search by path alone uses the key of
 * the table, which begins with the camera.
 */
export const anyCameraSql = "any_camera AS MATERIALIZED (SELECT '' AS camera_id UNION SELECT id FROM camera)";

/**
 * Returns the absolute path of a file inside the recordings tree.
 * @throws RangeError for a path that `checkPathInRecordings` refuses
 */
export function fileInRecordings(recordingsDir: string, path: string): string {
  const problem = checkPathInRecordings(path);
  if (problem !== undefined) throw new RangeError(`the path of a recording ${problem}`);
  return join(recordingsDir, path);
}

/**
 * Returns the absolute path of a recording's file by its stored path.
 * @throws RangeError for a path that leads out of the tree
 */
export function recordingFile(recordingsDir: string, videoPath: string): string {
  return fileInRecordings(recordingsDir, pathInRecordings(videoPath));
}

/** The media of recordings. A video may include sound; an image belongs to a sighting. */
export const mediaKinds = ['video', 'audio', 'image'] as const;

export type MediaKind = (typeof mediaKinds)[number];

/** Content types of recordings and their pictures by extension: RFC 2361, RFC 3003, RFC 5334, RFC 9639. */
const contentTypes: Readonly<Record<string, `${MediaKind}/${string}`>> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.flac': 'audio/flac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

function listExtensions(kind: MediaKind): string[] {
  return Object.keys(contentTypes).filter((extension) => contentTypes[extension]?.startsWith(`${kind}/`));
}

/** Extensions of audio recordings, in lower case and including the dot. */
const audioExtensions: readonly string[] = listExtensions('audio');
const imageExtensions: readonly string[] = listExtensions('image');

/** Extensions of recordings that the hub imports and accepts as uploads. */
export const recordingExtensions: readonly string[] = [...listExtensions('video'), ...audioExtensions];

/** Extensions of recordings that the hub neither imports nor plays, but offers for download. */
const foreignExtensions: readonly string[] = [
  ...['.mov', '.m4v', '.avi', '.ts', '.mts', '.m2ts', '.mpg', '.mpeg', '.ogv', '.3gp', '.flv', '.wmv'],
  ...['.aif', '.aiff', '.wma'],
];

/** All content types of files in the recordings tree. */
export const allContentTypes: readonly string[] = [...new Set(Object.values(contentTypes))];

const extensionOf = (path: string) => extname(path).toLowerCase();

/** Returns the content type of a file by its extension; undefined for files that are not served. */
export function contentTypeOf(path: string): string | undefined {
  return contentTypes[extensionOf(path)];
}

/** Returns whether a path has the extension of a recording that the hub does not play. */
export function isForeignRecordingPath(path: string): boolean {
  return foreignExtensions.includes(extensionOf(path));
}

/** Returns whether a path has the extension of a recording. */
export function isRecordingPath(path: string): boolean {
  return recordingExtensions.includes(extensionOf(path));
}

/** Returns the kind of a recording by its path: audio and image by their extensions, video in all other cases. */
export function mediaKindOf(path: string): MediaKind {
  const extension = extensionOf(path);
  if (audioExtensions.includes(extension)) return 'audio';
  return imageExtensions.includes(extension) ? 'image' : 'video';
}

const patternOf = (extensions: readonly string[]) =>
  `[^/]\\.(${extensions.map((extension) => extension.slice(1)).join('|')})$`;
const audioPattern = patternOf(audioExtensions);
const imagePattern = patternOf(imageExtensions);

/**
 * SQL: whether a stored path is that of an audio recording; see {@link mediaKindOf}. Most paths are decided without the
 * regular expression, which is ten times slower.
 */
export function isAudioSql(column: string): string {
  return `(${column} NOT LIKE '%.mp4' AND ${column} ~* '${audioPattern}')`;
}

/** SQL: whether a stored path is that of a picture. */
export function isPictureSql(column: string): string {
  return `(${column} ~* '${imagePattern}')`;
}

/**
 * SQL: the media kind of a row of `video` by its stored path; null without a medium. See {@link mediaKindOf}. The
 * maximum over several recordings is the best to show: video, else image, else audio.
 */
export function mediaKindSql(video: string): string {
  const path = `${video}.video_path`;
  return `(CASE WHEN ${video}.media = 'none' THEN NULL WHEN ${path} LIKE '%.mp4' THEN 'video'
    WHEN ${isAudioSql(path)} THEN 'audio' WHEN ${path} ~* '${imagePattern}' THEN 'image' ELSE 'video' END)`;
}
