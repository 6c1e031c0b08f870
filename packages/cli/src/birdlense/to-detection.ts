import type { PostedDetection } from '@birdhub/domain/recordings';
import { normaliseSpeciesName } from '@birdhub/domain/species';
import { formatInstant, parseInstant } from '@birdhub/shared/time';
import { idOf, isTrue, numberOf, type OldRow, restOf, textOf } from './old-rows.js';
import { readFrames } from './read-frames.js';

/** Why something of the old database has no place here, in words. */
export interface Refused {
  readonly reason: string;
}

const slackSeconds = 60;
const longestName = 200;

const known: ReadonlySet<string> = new Set([
  'id',
  'video_id',
  'species_id',
  'species_visit_id',
  'created_at',
  'start_time',
  'end_time',
  'confidence',
  'source',
  'detection_provider',
  'track_id',
  'frames',
  'manually_corrected',
]);

/** When a person said what it is; the old database knows no better instant than that of the row. */
function reviewOf(row: OldRow, recordingEnd: number): Pick<PostedDetection, 'reviewed' | 'reviewedAt'> {
  if (!isTrue(row, 'manually_corrected')) return {};
  const at = parseInstant(textOf(row, 'created_at') ?? '') ?? recordingEnd;
  return { reviewed: true, reviewedAt: formatInstant(at) };
}

function findMistake(row: OldRow, seconds: number): string | undefined {
  const [start, end, confidence] = ['start_time', 'end_time', 'confidence'].map((key) => numberOf(row, key));
  if (start === undefined || end === undefined) return 'has no times';
  if (start < 0 || end < start) return 'has times that are negative or swapped';
  if (end > seconds + slackSeconds) return 'lies behind the end of its recording';
  if (confidence === undefined || confidence < 0 || confidence > 1) return 'has no confidence from 0 to 1';
  if (!['video', 'audio'].includes(textOf(row, 'source') ?? '')) return 'is neither of picture nor of sound';
  return undefined;
}

/** A row of `video_species` as this hub takes it; the recording's span is in ms. */
export function toDetection(
  row: OldRow,
  span: { readonly start: number; readonly end: number },
  speciesNames: ReadonlyMap<number, string>,
): PostedDetection | Refused {
  const mistake = findMistake(row, (span.end - span.start) / 1000);
  if (mistake !== undefined) return { reason: `a detection ${mistake}` };
  const name = normaliseSpeciesName(speciesNames.get(idOf(row, 'species_id') ?? Number.NaN) ?? '');
  if (name === '' || name.length > longestName) return { reason: 'a detection is of no species of the file' };
  const track = textOf(row, 'track_id', 64) ?? idOf(row, 'track_id')?.toString();
  return {
    id: idOf(row, 'id'),
    speciesName: name,
    confidence: numberOf(row, 'confidence') ?? 0,
    startOffset: numberOf(row, 'start_time') ?? 0,
    endOffset: numberOf(row, 'end_time') ?? 0,
    source: textOf(row, 'source') === 'audio' ? 'audio' : 'video',
    trackId: track ?? null,
    provider: textOf(row, 'detection_provider', 200) ?? null,
    frames: readFrames(textOf(row, 'frames', 4_000_000)),
    extra: restOf(row, known),
    ...reviewOf(row, span.end),
  };
}
