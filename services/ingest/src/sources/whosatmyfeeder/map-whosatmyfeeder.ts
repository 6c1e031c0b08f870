import { readWallClock, toInstants } from '../local-time.js';
import { type Sentence, say } from '../sentences.js';
import type { Mapped } from '../source-kind.js';
import {
  detectionOf,
  explainLowConfidence,
  isFrigateId,
  isSpeciesName,
  readNumber,
  readText,
  startOfFrigateEvent,
} from '../upstream-values.js';

/** A row of `detections`. */
export interface WamfRow {
  readonly id: number;
  readonly time: unknown;
  readonly score: unknown;
  readonly name: unknown;
  readonly category: unknown;
  readonly frigateEvent: unknown;
  readonly camera: unknown;
}

/** The context of the mapping of a row. */
export interface WamfContext {
  readonly zone: string;
  readonly minConfidence: number | undefined;
  /** Whether there is a Frigate to fetch clips from. */
  readonly hasFrigate: boolean;
}

const lengthMs = 10_000;
/** Maximum difference of a local time from UTC. */
const maxOffsetMs = 26 * 60 * 60_000;

/** Maps a row to an event, or returns why it is skipped. Never throws. */
export function mapRow(row: WamfRow, { zone, minConfidence, hasFrigate }: WamfContext): Mapped {
  const id = readText(row.frigateEvent) ?? '';
  const wall = readWallClock(readText(row.time) ?? '');
  const startedAt = startOfFrigateEvent(id);
  // The id contains the time of the event in UTC, which is unambiguous.
  const isSame = startedAt !== undefined && (wall === undefined || Math.abs(wall - startedAt) <= maxOffsetMs);
  const start = isSame ? startedAt : wall === undefined ? undefined : toInstants(zone, wall).first;
  const drop = (reason: Sentence): Mapped => ({
    dropped: { upstreamId: `row ${row.id}`, at: start, reason },
  });
  if (!isFrigateId(id)) return drop(say('no_frigate_id'));
  if (start === undefined) return drop(say('no_time'));
  const name = [readText(row.name), readText(row.category)].find(
    (text) => text !== undefined && isSpeciesName(text),
  );
  if (name === undefined) return drop(say('no_species'));
  const score = readNumber(row.score);
  if (score === undefined || score < 0 || score > 1) return drop(say('no_confidence'));
  const tooLow = explainLowConfidence(score, minConfidence);
  if (tooLow !== undefined) return drop(tooLow);
  return {
    event: {
      upstreamId: id,
      start,
      end: start + lengthMs,
      isOpen: false,
      camera: readText(row.camera)?.slice(0, 64) ?? 'whosatmyfeeder',
      processorVersion: 'whosatmyfeeder',
      detections: [
        detectionOf({
          speciesName: name,
          confidence: score,
          startOffset: 0,
          endOffset: lengthMs / 1000,
          source: 'video',
          provider: 'whosatmyfeeder',
          trackId: id,
        }),
      ],
      media: hasFrigate ? { extension: '.mp4', reference: { id } } : undefined,
      extra: { whosatmyfeeder: { id: row.id } },
      rereadAfterMs: [],
    },
  };
}
