import { isGroup, type Path, type StoredSettings } from './schema.js';
import { mask, matchEntries } from './secrets.js';

/** Scheme and user, password, and host of a URL; a password may contain an `@`. */
const withPassword = /^(\s*[a-z][a-z0-9+.-]*:\/\/[^\s:/?#@]*:)([^\s/?#]+)(@[^\s/?#@]*)/i;

/** Returns a copy of the settings in which the passwords in stream URLs are masked. */
export function maskStreamPasswords<T extends object>(settings: T): T {
  return mapStreamUrls(settings, (url) => url.replace(withPassword, `$1${mask}$3`));
}

/** A change with stored passwords in place of their masks. */
export interface RestoredPasswords {
  readonly change: StoredSettings;
  /** Places of URLs whose password was removed, because their user or host differs from the stored URL. */
  readonly lost: readonly Path[];
}

/** Replaces the masks in the stream URLs of a change by the stored passwords. */
export function restoreStreamPasswords(stored: StoredSettings, given: StoredSettings): RestoredPasswords {
  const lost: Path[] = [];
  const findStored = matchEntries(isGroup(stored['video']) ? stored['video']['cameras'] : undefined);
  const change = mapStreamUrls(given, (url, camera, position) =>
    url.replace(withPassword, (matched, user: string, password: string, host: string) => {
      if (password !== mask) return matched;
      const before = findStored(camera, position);
      const kept = withPassword.exec(isGroup(before) ? String(before['stream_url']) : '');
      if (kept?.[1] === user && kept[3]?.toLowerCase() === host.toLowerCase()) return user + kept[2] + host;
      lost.push(['video', 'cameras', String(position), 'stream_url']);
      return user.slice(0, -1) + host;
    }),
  );
  return { change, lost };
}

type ChangeUrl = (url: string, camera: unknown, position: number) => string;

function mapStreamUrls<T extends object>(settings: T, change: ChangeUrl): T {
  const video = 'video' in settings ? settings.video : undefined;
  if (!isGroup(video) || !Array.isArray(video['cameras'])) return settings;
  const cameras = video['cameras'].map((camera: unknown, position) => {
    const url = isGroup(camera) ? camera['stream_url'] : undefined;
    return isGroup(camera) && typeof url === 'string'
      ? { ...camera, stream_url: change(url, camera, position) }
      : camera;
  });
  return { ...settings, video: { ...video, cameras } };
}
