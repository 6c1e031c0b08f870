import { extname } from 'node:path';

/** The files that the recordings tree gives out, by extension. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mkv': 'video/x-matroska',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

/** The media type of a file's name; undefined for files that are not given out. */
export function mediaTypeOf(path: string): string | undefined {
  return mediaTypes[extname(path).toLowerCase()];
}

/** All media types that are given out. */
export const allMediaTypes: readonly string[] = [...new Set(Object.values(mediaTypes))];
