import { isGroup, type Path, type StoredSettings } from './schema.js';
import { type IsSameSecret, mask, matchEntries, urlPassword } from './secrets.js';

/** A change with stored passwords in place of their masks. */
export interface RestoredPasswords {
  readonly change: StoredSettings;
  /** Places of URLs whose password was removed, because their user or host differs from the stored URL. */
  readonly lost: readonly Path[];
}

/** Replaces the masks in the URLs of a change by the stored passwords, and a password that is the same by the stored one. */
export function restoreUrlPasswords(
  stored: StoredSettings,
  given: StoredSettings,
  isSame: IsSameSecret,
): RestoredPasswords {
  const lost: Path[] = [];

  function restoreIn(values: unknown, before: unknown, key: string, path: Path): unknown {
    const url = isGroup(values) ? values[key] : undefined;
    if (!isGroup(values) || typeof url !== 'string') return values;
    const kept = urlPassword.exec(isGroup(before) ? String(before[key]) : '');
    const restored = url.replace(urlPassword, (matched, user: string, password: string, host: string) => {
      const isOfSame = kept?.[1] === user && kept[3]?.toLowerCase() === host.toLowerCase();
      if (isOfSame && (password === mask || isSame(kept[2], password))) return user + kept[2] + host;
      if (password !== mask) return matched;
      lost.push([...path, key]);
      return user.slice(0, -1) + host;
    });
    return { ...values, [key]: restored };
  }

  const change: Record<string, unknown> = { ...given };
  const { mqtt, feed, video } = given;
  if (isGroup(mqtt)) change['mqtt'] = restoreIn(mqtt, stored['mqtt'], 'broker', ['mqtt']);
  if (isGroup(feed)) change['feed'] = restoreIn(feed, stored['feed'], 'esphome_url', ['feed']);
  if (isGroup(video) && Array.isArray(video['cameras'])) {
    const findStored = matchEntries(isGroup(stored['video']) ? stored['video']['cameras'] : undefined);
    const cameras = video['cameras'].map((camera: unknown, position) =>
      restoreIn(camera, findStored(camera, position), 'stream_url', ['video', 'cameras', String(position)]),
    );
    change['video'] = { ...video, cameras };
  }
  return { change, lost };
}
