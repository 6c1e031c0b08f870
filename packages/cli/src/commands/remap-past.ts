import { createRecordingWriter } from '@birdhub/domain/recordings';
import { createSettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory } from '@birdhub/domain/species';
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
