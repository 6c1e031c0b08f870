import { parseInstant } from '@birdhub/shared/time';
import { type Sentence, say } from '../sentences.js';
import type { Mapped } from '../source-kind.js';
import {
  detectionOf,
  explainLowConfidence,
  isFrigateId,
  isSpeciesName,
  pairName,
  readNumber,
  readObject,
  readText,
  startOfFrigateEvent,
} from '../upstream-values.js';

/** The context of the mapping of an item. */
export interface YaWamfContext {
  readonly minConfidence: number | undefined;
  readonly processorVersion: string;
  /** Whether it was stored before, in which case it is not skipped. */
  readonly isKnown: boolean;
}

/** Maximum time between the start of a Frigate event and its classification. */
const maxStartBeforeMs = 60 * 60_000;
const minLengthMs = 10_000;
const afterMs = 5_000;
const unknownBird = /^unknown( bird)?$/i;

/** Maps an item of `GET /api/events` to an event, or returns why it is skipped. Never throws. */
export function mapItem(item: unknown, { minConfidence, processorVersion, isKnown }: YaWamfContext): Mapped {
  const row = readObject(item);
  const id = readText(row['frigate_event']) ?? '';
  // Without an offset it is UTC.
  const at = parseInstant(readText(row['detection_time']) ?? '');
  const drop = (reason: Sentence): Mapped => ({
    dropped: { upstreamId: id.slice(0, 100) || 'unknown', at, reason },
  });
  if (!isFrigateId(id)) return drop(say('no_frigate_id'));
  if (at === undefined || at <= 0) return drop(say('no_time'));
  const name = readName(row);
  if (name === undefined) return drop(say('no_species'));
  const score = readNumber(row['score']);
  if (score === undefined || score < 0 || score > 1) return drop(say('no_confidence'));
  if (row['is_hidden'] === true && !isKnown) return drop(say('hidden', { program: 'YA-WAMF' }));
  const isManual = row['manual_tagged'] === true;
  const tooLow = isManual || isKnown ? undefined : explainLowConfidence(score, minConfidence);
  if (tooLow !== undefined) return drop(tooLow);
  const startedAt = startOfFrigateEvent(id) ?? at;
  const start = startedAt <= at && at - startedAt <= maxStartBeforeMs ? startedAt : at;
  const end = Math.max(at + afterMs, start + minLengthMs);
  return {
    event: {
      upstreamId: id,
      start,
      end,
      isOpen: false,
      camera: readText(row['camera_name'])?.slice(0, 64) ?? 'ya-wamf',
      processorVersion,
      detections: [
        detectionOf({
          speciesName: name,
          confidence: score,
          startOffset: 0,
          endOffset: (end - start) / 1000,
          source: 'video',
          provider: 'ya-wamf',
          trackId: id,
          reviewed: isManual,
        }),
      ],
      isFavorite: row['is_favorite'] === true,
      media: { extension: '.mp4', reference: { id } },
      extra: {
        ya_wamf: {
          id: readNumber(row['id']) ?? null,
          favorite: row['is_favorite'] === true,
          hidden: row['is_hidden'] === true,
          manual: isManual,
          audio_confirmed: row['audio_confirmed'] === true,
          frigate_score: readNumber(row['frigate_score']) ?? null,
        },
      },
      rereadAfterMs: [],
    },
  };
}

/** Returns the scientific and common names, if present, else the display name. */
function readName(row: Readonly<Record<string, unknown>>): string | undefined {
  const shown = readText(row['display_name']);
  const pair = pairName(readText(row['scientific_name']), readText(row['common_name']));
  const name = pair ?? (shown !== undefined && isSpeciesName(shown) ? shown : undefined);
  return name !== undefined && unknownBird.test(name) ? 'Unknown' : name;
}
