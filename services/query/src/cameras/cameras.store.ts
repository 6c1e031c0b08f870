import type { Settings } from '@birdhub/domain/settings';
import type pg from 'pg';
import type { Camera } from './cameras.schema.js';

type CameraSetting = Settings['video']['cameras'][number];

function toCamera(id: string, setting: CameraSetting | undefined, seen: SeenCamera | undefined): Camera {
  return {
    id,
    name: setting?.name || id,
    stream_url: setting?.stream_url ? publicStreamUrl(setting.stream_url) : null,
    enabled: setting?.enabled ?? true,
    last_recording_at: seen?.lastRecordingAt?.toISOString() ?? null,
    recordings: seen?.recordings ?? 0,
  };
}

/** Returns the cameras of the settings in their order, followed by those that only recordings refer to. */
export function mergeCameras(settings: readonly CameraSetting[], seen: readonly SeenCamera[]): Camera[] {
  const settingOf = new Map([...settings].reverse().map((setting) => [setting.id, setting]));
  const seenOf = new Map(seen.map((camera) => [camera.id, camera]));
  const ids = new Set([...settings, ...seen].map(({ id }) => id));
  return [...ids].map((id) => toCamera(id, settingOf.get(id), seenOf.get(id)));
}

/** A camera with recordings. */
export interface SeenCamera {
  readonly id: string;
  readonly recordings: number;
  readonly lastRecordingAt: Date | null;
}

const seenSql = `
  SELECT camera.id, last.start_time AS "lastRecordingAt",
    (SELECT coalesce(sum(value), 0)::bigint FROM hub_counter WHERE name = 'camera:' || camera.id) AS recordings
  FROM camera LEFT JOIN LATERAL (
    SELECT start_time FROM video WHERE camera_id = camera.id AND camera_id <> '' ORDER BY start_time DESC LIMIT 1
  ) last ON true
  ORDER BY camera.id`;

/** Lists the cameras of all recordings, by id. */
export async function listSeenCameras(pool: pg.Pool): Promise<readonly SeenCamera[]> {
  const { rows } = await pool.query<SeenCamera>({ name: 'cameras', text: seenSql });
  return rows;
}

/** Players accept spaces around an address, and backslashes instead of slashes. */
const scheme = /^\s*[a-z][a-z0-9+.-]*\s*:\s*[\\/][\\/\s]*/i;
/** Invisible characters: controls, direction marks and zero-width characters. */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** A password with a slash ends the authority too early, which results in a second user or an invalid port. */
const possiblePassword = /@|:(?!\d*$)[^\]]*$/;
/** A password may begin with digits, so a host without dots, followed by digits, may be a user name. */
const possibleUser = /^[^.:[\]]+:\d*$/;

/**
 * Returns the part of a stream's address that viewers may see: scheme, host and port. User, path and query may contain
 * secrets. A host that may be part of a password is masked. The name of a local device is returned as it is.
 */
export function publicStreamUrl(url: string): string {
  const address = url.replace(invisibleCharacters, '').trim();
  if (address.startsWith('/dev/')) return address;
  const [start = ''] = scheme.exec(address) ?? [];
  const rest = address.slice(start.length);
  const authority = rest.split(/[\\/?#]/, 1)[0] ?? '';
  const isCutShort =
    rest.includes('@', authority.length) &&
    (possiblePassword.test(authority) || possibleUser.test(authority));
  const host = isCutShort ? '***' : authority.slice(authority.lastIndexOf('@') + 1);
  return start.replace(/\s/g, '') + host;
}
