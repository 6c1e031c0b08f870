import { matchEntries } from './merge-settings.js';
import type { Path } from './places.js';
import { isGroup, mapSecrets, mask } from './secret-places.js';
import type { Settings } from './settings-schema.js';

/** Where secrets go, and the part of the settings that they stand in. */
interface SecretAddress {
  readonly place: Path;
  readonly addressOf: (settings: Settings) => string;
}

/** The whole address counts, as hosts are shared; what it says of a user does not, nor does its spelling. */
function normaliseAddress(given: unknown): string {
  const text = String(given ?? '').trim();
  if (!URL.canParse(text)) return text;
  const { protocol, host, pathname, search } = new URL(text);
  return `${protocol}//${host.toLowerCase()}${pathname.replace(/\/+$/, '')}${search}`;
}

/** A broker is named by host or URL, which may have a port of its own; without one the port says nothing. */
function brokerOf({ broker, port }: Settings['mqtt']): string {
  const text = String(broker ?? '').trim();
  if (text === '') return '';
  const named = /^[a-z]+:\/\//i.test(text) ? text : `mqtt://${text}`;
  if (!URL.canParse(named)) return `${text} ${port}`;
  const { protocol, hostname, port: ownPort, pathname, search } = new URL(named);
  return `${protocol}//${hostname.toLowerCase()}:${ownPort || port}${pathname.replace(/\/+$/, '')}${search}`;
}

const addresses: readonly SecretAddress[] = [
  { place: ['homeassistant'], addressOf: ({ homeassistant }) => normaliseAddress(homeassistant.url) },
  { place: ['mqtt'], addressOf: ({ mqtt }) => brokerOf(mqtt) },
  { place: ['webhook'], addressOf: ({ webhook }) => normaliseAddress(webhook.url) },
  { place: ['feed'], addressOf: ({ feed }) => normaliseAddress(feed.esphome_url) },
];

/** Cameras whose address is another one. */
function movedCameras(before: Settings, after: Settings): Path[] {
  const findStored = matchEntries(before.video.cameras);
  return after.video.cameras.flatMap((camera, position) => {
    const stored = findStored(camera, position);
    const old = isGroup(stored) ? stored['stream_url'] : undefined;
    const isMoved = normaliseAddress(old) !== normaliseAddress(camera.stream_url);
    return isMoved ? [['video', 'cameras', String(position)]] : [];
  });
}

function valueAt(settings: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    settings,
  );
}

/**
 * The secrets that were left as they are although their address has changed, by their places: whoever may change
 * addresses could have them sent elsewhere. Both settings are masked and whole.
 */
export function findStraySecrets(before: Settings, after: Settings): Path[] {
  const changed = addresses.filter(({ addressOf }) => addressOf(before) !== addressOf(after));
  const found: Path[] = [];
  for (const place of [...changed.map((address) => address.place), ...movedCameras(before, after)]) {
    const keep = (secret: string | number, path: Path) => {
      if (secret === mask) found.push(path);
      return secret;
    };
    mapSecrets(valueAt(after, place), keep, place);
  }
  return found;
}

/** A copy with the secrets of some places cleared. */
export function clearSecrets<T>(settings: T, places: readonly Path[]): T {
  const cleared = new Set(places.map((place) => place.join('\0')));
  return mapSecrets(settings, (secret, path) => (cleared.has(path.join('\0')) ? '' : secret)) as T;
}
