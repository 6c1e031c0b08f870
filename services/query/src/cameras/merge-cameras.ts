import type { Settings } from '@birdhub/domain/settings';
import type { Camera } from './cameras.schema.js';
import type { SeenCamera } from './cameras.store.js';
import { publicStreamUrl } from './public-stream-url.js';

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

/** The cameras of the settings in their order, then those that only recordings name. */
export function mergeCameras(settings: readonly CameraSetting[], seen: readonly SeenCamera[]): Camera[] {
  const settingOf = new Map([...settings].reverse().map((setting) => [setting.id, setting]));
  const seenOf = new Map(seen.map((camera) => [camera.id, camera]));
  const ids = new Set([...settings, ...seen].map(({ id }) => id));
  return [...ids].map((id) => toCamera(id, settingOf.get(id), seenOf.get(id)));
}
