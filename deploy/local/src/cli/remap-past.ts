import { createRecordingWriter } from '@birdhub/shared/recordings';
import { createSettingsReader } from '@birdhub/shared/settings';
import { createSpeciesDirectory } from '@birdhub/shared/species';
import { withBell } from './with-bell.js';

/** Gives what nobody has reviewed the species that its name means now; answers how many detections moved. */
export function remapPast(databaseUrl: string, onMoved: (detections: number) => void): Promise<number> {
  return withBell(databaseUrl, async ({ pool, bell, log }) => {
    const settings = createSettingsReader({ pool, timezone: 'UTC', log });
    const directory = createSpeciesDirectory(pool, () => bell.ring({ kind: 'species' }));
    const writer = createRecordingWriter({ pool, directory, settings, bell });
    const { moved } = await writer.remap({ onProgress: (progress) => onMoved(progress.moved) });
    return moved;
  });
}
