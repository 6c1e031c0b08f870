import type { RecordingWriter } from '@birdhub/domain/recordings';
import type { ItemJobKind, ItemResult } from '../jobs/job.js';
import type { InspectionOutcome, InspectVideo } from './video-inspector.js';

/** What the job needs. */
export interface MediaRepairDeps {
  readonly inspect: InspectVideo;
  readonly writer: Pick<RecordingWriter, 'noteMedia'>;
}

const results: Readonly<Record<InspectionOutcome, ItemResult>> = {
  made: { outcome: 'generated' },
  untouched: { outcome: 'skipped' },
  awaited: { outcome: 'skipped' },
  gone: { outcome: 'skipped' },
  unmade: { outcome: 'failed', reason: 'no picture could be made of it' },
  absent: { outcome: 'failed', reason: 'its file is not there' },
  unreadable: { outcome: 'failed', reason: 'its file cannot be read' },
};

/** Inspects recordings again whose file or poster was missing, or all of them when forced. */
export function createMediaRepairJob({ inspect, writer }: MediaRepairDeps): ItemJobKind {
  return {
    name: 'media-repair',
    async work(videoId, { force, signal }) {
      const outcome = await inspect(videoId, { signal, isForced: force });
      if (outcome === 'absent') await writer.noteMedia([{ videoId, state: 'missing' }]);
      return results[outcome];
    },
  };
}
