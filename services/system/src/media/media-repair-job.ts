import type { RecordingWriter } from '@birdhub/domain/recordings';
import type { ItemJobKind, ItemResult } from '../jobs/job.js';
import type { LookIntoVideo, LookOutcome } from './derive-media.js';

/** What the job works with. */
export interface MediaRepairParts {
  readonly look: LookIntoVideo;
  readonly writer: Pick<RecordingWriter, 'noteMedia'>;
}

const results: Readonly<Record<LookOutcome, ItemResult>> = {
  made: { outcome: 'generated' },
  untouched: { outcome: 'skipped' },
  awaited: { outcome: 'skipped' },
  gone: { outcome: 'skipped' },
  unmade: { outcome: 'failed', reason: 'no picture could be made of it' },
  absent: { outcome: 'failed', reason: 'its file is not there' },
  unreadable: { outcome: 'failed', reason: 'its file cannot be read' },
};

/** Looks into recordings again whose file or poster lacked, or into all, as if they had just come. */
export function createMediaRepairJob({ look, writer }: MediaRepairParts): ItemJobKind {
  return {
    name: 'media-repair',
    async work(videoId, { force, signal }) {
      const outcome = await look(videoId, { signal, isForced: force });
      if (outcome === 'absent') await writer.noteMedia([{ videoId, state: 'missing' }]);
      return results[outcome];
    },
  };
}
