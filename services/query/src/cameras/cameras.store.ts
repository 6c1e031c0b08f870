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
const secretParameter =
  /([?&;][^=&;#]*(?:pas|pwd|psw|token|secret|key|auth|(?:pw|sid)(?==))[^=&;#]*=)[^&;#]*/gi;
/** Recorders with parameters in their paths: `/user=admin_password=secret_channel=1_stream=0.sdp`. */
const secretInPath = /([/_][a-z]*(?:pas|pwd|psw)[a-z]*=)[^&;#/?]*?(?=_[a-z]+=|[&;#/?]|$)/gi;
/** User and password of an address in a parameter, such as the source of a relay. */
const userInParameter = /(:|%3a)((?:\/|%2f){2})[^&;#]*(?:@|%40)/gi;
/** Invisible characters: controls, direction marks and zero-width characters. */
const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A password with a slash ends the authority too early, which results in an invalid port. */
const invalidPort = /:(?!\d*$)[^\]]*$/;
/** A password may begin with digits, so a host without dots, followed by digits, may be a user name. */
const possibleUser = /^[^.:[\]]+:\d*$/;

function withoutUser(url: string): string {
  const [start = ''] = scheme.exec(url) ?? [];
  const rest = url.slice(start.length);
  const authority = rest.split(/[\\/?#]/, 1)[0] ?? '';
  const isCutShort =
    !authority.includes('@') && (invalidPort.test(authority) || possibleUser.test(authority));
  const end = isCutShort ? rest.lastIndexOf('@') : authority.lastIndexOf('@');
  return start.replace(/\s/g, '') + rest.slice(end + 1);
}

/** Returns a stream's address for viewers: without user and password, with secret parameters masked. */
export function publicStreamUrl(url: string): string {
  const shown = withoutUser(url.replace(invisibleCharacters, '').trim());
  const query = /[?&;]/.exec(shown)?.index ?? shown.length;
  return (
    shown.slice(0, query).replace(secretInPath, '$1***') +
    shown.slice(query).replace(userInParameter, '$1$2').replace(secretParameter, '$1***')
  );
}
