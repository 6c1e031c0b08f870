import { constants } from 'node:fs';
import { copyFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isMissingFile } from '@birdhub/shared/errors';
import { say } from '../sentences.js';
import { type FetchOutcome, type SourceHttp, UpstreamError } from '../source-kind.js';
import { type ClipReference, clipPaths } from './map-birdnet-pi.js';

/** Locations of clips. */
export interface ClipPlaces {
  /** The path of the database. */
  readonly database: string;
  readonly hasUrl: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

const maxClipBytes = 256 * 1024 * 1024;
/** A file that changed more recently may be incomplete. */
const settledMs = 10_000;

/** Folders that may contain `By_Date`, relative to the folder of the database. */
const clipFolders = ['.', 'Extracted', 'BirdSongs/Extracted', '../../BirdSongs/Extracted'];

/** Copies the clip of a row from its folder, or downloads it. @throws UpstreamError */
export async function fetchClip(
  reference: ClipReference,
  file: string,
  places: ClipPlaces,
  { http, now, signal }: { readonly http: SourceHttp; readonly now: number; readonly signal: AbortSignal },
): Promise<FetchOutcome> {
  const roots = await listRoots(dirname(places.database));
  for (const root of roots) {
    for (const path of clipPaths(reference)) {
      const outcome = await copyFrom(root, join(root, ...path), file, now);
      if (outcome) return outcome;
    }
  }
  if (places.hasUrl) return download(reference, file, places.headers, http, signal);
  const reason = roots.length ? say('clip_not_in_folder') : say('clip_no_folder');
  return { outcome: 'never', reason };
}

async function listRoots(folder: string): Promise<string[]> {
  const roots = await Promise.all(
    clipFolders.map(async (name) => {
      const root = await realpath(join(folder, name)).catch(() => undefined);
      return root !== undefined && (await isFolder(join(root, 'By_Date'))) ? root : undefined;
    }),
  );
  return [...new Set(roots.filter((root) => root !== undefined))];
}

const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );

/** Copies a file; returns undefined when it does not exist. @throws UpstreamError when it cannot be read */
async function copyFrom(
  root: string,
  path: string,
  file: string,
  now: number,
): Promise<FetchOutcome | undefined> {
  try {
    const real = await realpath(path);
    if (!real.startsWith(root + sep)) return { outcome: 'never', reason: say('clip_linked') };
    const stats = await stat(real);
    if (!stats.isFile()) return undefined;
    if (stats.size > maxClipBytes)
      return { outcome: 'never', reason: say('clip_too_large', { bytes: stats.size }) };
    if (now - stats.mtimeMs < settledMs && now >= stats.mtimeMs)
      return { outcome: 'later', reason: say('clip_being_written'), retryAfterMs: settledMs };
    await copyFile(real, file, constants.COPYFILE_EXCL);
    return { outcome: 'ready' };
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    const { code, syscall, dest } = error as NodeJS.ErrnoException & { dest?: string };
    if (syscall === 'copyfile' && dest === file && code !== 'EACCES') throw error;
    throw new UpstreamError('clip', say('clip_unreadable', { code: code ?? 'unknown' }));
  }
}

async function download(
  reference: ClipReference,
  file: string,
  headers: Readonly<Record<string, string>>,
  http: SourceHttp,
  signal: AbortSignal,
): Promise<FetchOutcome> {
  for (const path of clipPaths(reference)) {
    const address = path.map(encodeURIComponent).join('/');
    const { status } = await http.download(address, file, { maxBytes: maxClipBytes, headers, signal });
    if (status === 200) return { outcome: 'ready' };
    if (status === 401 || status === 403)
      throw new UpstreamError('login', say('asks_login_clips', { program: 'BirdNET-Pi' }));
    if (status !== 404 && status !== 410)
      return { outcome: 'later', reason: say('status', { status, program: 'BirdNET-Pi' }) };
  }
  return { outcome: 'never', reason: say('clip_gone', { program: 'BirdNET-Pi' }) };
}
