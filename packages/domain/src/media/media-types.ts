import { extname } from 'node:path';

/** What a recording consists of. A file of video may have sound as well; a picture is that of a sighting. */
export const mediaKinds = ['video', 'audio', 'image'] as const;

export type MediaKind = (typeof mediaKinds)[number];

/** Recordings and the pictures beside them, by extension: RFC 2361, RFC 3003, RFC 5334, RFC 9639. */
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

/** Extensions of recordings that are sound alone, each with its dot, in lower case. */
const audioExtensions: readonly string[] = listExtensions('audio');
const imageExtensions: readonly string[] = listExtensions('image');

/** Extensions of recordings that the hub imports and takes uploads of. */
export const recordingExtensions: readonly string[] = [...listExtensions('video'), ...audioExtensions];

/** All content types of files in the recordings tree. */
export const allContentTypes: readonly string[] = [...new Set(Object.values(contentTypes))];

/** All content types of recordings. */
export const recordingContentTypes: readonly string[] = allContentTypes.filter(
  (type) => !type.startsWith('image/'),
);

const extensionOf = (path: string) => extname(path).toLowerCase();

/** Returns the content type of a file by its extension; undefined for files that are not served. */
export function contentTypeOf(path: string): string | undefined {
  return contentTypes[extensionOf(path)];
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
 * SQL: whether a stored path is that of a recording of sound alone; see {@link mediaKindOf}. Most are told apart without the
 * regular expression, which takes ten times as long.
 */
export function isAudioSql(column: string): string {
  return `(${column} NOT LIKE '%.mp4' AND ${column} ~* '${audioPattern}')`;
}

/**
 * SQL: the kind of a recording, a row of `video`, by its stored path; null without a medium. See {@link mediaKindOf}. Of
 * several recordings the greatest is what there is to see: video, else image, else audio.
 */
export function mediaKindSql(video: string): string {
  const path = `${video}.video_path`;
  return `(CASE WHEN ${video}.media = 'none' THEN NULL WHEN ${path} LIKE '%.mp4' THEN 'video'
    WHEN ${isAudioSql(path)} THEN 'audio' WHEN ${path} ~* '${imagePattern}' THEN 'image' ELSE 'video' END)`;
}
