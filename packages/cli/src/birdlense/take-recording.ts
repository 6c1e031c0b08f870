import type { MediaNote, RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { ReservedIds } from './ids.store.js';
import type { ImportReport } from './import-report.js';
import { requestId } from './import-request.js';
import { type Placed, placeFile, type Trees } from './place-file.js';
import { findKnown, type KnownHere, keepFreeIds, writeKept } from './recordings.store.js';
import type { Found } from './to-recording.js';

/** What recordings are taken with. */
export interface RecordingTaking {
  readonly pool: pg.Pool;
  readonly writer: Pick<RecordingWriter, 'post' | 'noteMedia'>;
  readonly ids: ReservedIds;
  readonly trees: Trees;
  readonly foodIds: ReadonlyMap<number, number>;
  readonly report: ImportReport;
}

async function post(taking: RecordingTaking, found: Found, known: KnownHere): Promise<number | undefined> {
  const { writer, ids, report, foodIds } = taking;
  const { oldId } = found;
  const id = ids.has('video', oldId) && !known.isIdTaken ? oldId : undefined;
  const taken = new Set(known.takenDetectionIds);
  const posted = keepFreeIds(found.posted, (given) => ids.has('detection', given) && !taken.has(given));
  const foods = found.foods.flatMap((food) => foodIds.get(food) ?? []);
  const result = await writer.post(posted, requestId, {
    onlyNew: true,
    id,
    alsoWrite: writeKept(found, foods),
  });
  if (!result.created) return undefined;
  report.count('recordings');
  report.count('detections', result.detections);
  report.count('reviews', posted.detections.filter(({ reviewed }) => reviewed).length);
  if (id === undefined) report.count('recordings with another id');
  if (result.dropped)
    report.skip('a detection is below detection.min_confidence_to_store', oldId, result.dropped);
  for (const { reason } of found.refused) report.skip(reason, oldId);
  return result.videoId;
}

/** Of a recording whose file this hub has, or has cleared, there is nothing new to say. */
function noteOf(videoId: number, placed: Placed, media: string | null): MediaNote | undefined {
  if (media === 'ready') return undefined;
  if ('sizeBytes' in placed) return { videoId, state: 'ready', sizeBytes: placed.sizeBytes };
  return media === 'missing' || placed.state === 'other' ? undefined : { videoId, state: 'missing' };
}

/**
 * Takes a recording of the old hub, unless this one knows it; what is known still gets a file that it lacks. Answers
 * what there is to note of its file.
 */
export async function takeRecording(taking: RecordingTaking, found: Found): Promise<MediaNote | undefined> {
  const { pool, trees, report } = taking;
  const { oldId, posted } = found;
  const known = await findKnown(pool, found);
  if (known.isDeleted) return skip('it was deleted here');
  if (known.videoId !== null) report.count('recordings known');
  if (known.media === 'purged') return undefined;
  const placed = await placeFile(trees, posted.videoPath);
  if (placed.state === 'other' && known.videoId === null)
    return skip('another file is in the place of its own');
  if (placed.state === 'outside') refuse(posted.videoPath);
  if (posted.spectrogramPath !== null) {
    const { state } = await placeFile(trees, posted.spectrogramPath);
    if (state === 'outside') refuse(posted.spectrogramPath);
  }
  const videoId = known.videoId ?? (await post(taking, found, known));
  if (placed.state === 'outside') report.count('files missing');
  else if (placed.state !== 'other') report.count(`files ${placed.state}`);
  return videoId === undefined ? undefined : noteOf(videoId, placed, known.media);

  function refuse(path: string): void {
    report.skip('a file that lies outside of the folder was not taken', path);
  }

  function skip(reason: string): undefined {
    report.skip(reason, oldId);
  }
}
