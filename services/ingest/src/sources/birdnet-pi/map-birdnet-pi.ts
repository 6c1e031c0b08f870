import { isRecordingPath } from '@birdhub/domain/media';
import { type RepeatedHour, readWallClock, toInstantInOrder, toInstants } from '../local-time.js';
import { type Sentence, say } from '../sentences.js';
import type { Json, KnownEvent, Mapped } from '../source-kind.js';
import {
  detectionOf,
  explainLowConfidence,
  pairName,
  readNumber,
  readObject,
  readText,
} from '../upstream-values.js';

/** A row of `detections`. */
export interface BirdNetPiRow {
  readonly rowid: number;
  readonly date: unknown;
  readonly time: unknown;
  readonly scientific: unknown;
  readonly common: unknown;
  readonly confidence: unknown;
  readonly file: unknown;
}

/** The context of the mapping of a row. */
export interface BirdNetPiContext {
  readonly zone: string;
  readonly minConfidence: number | undefined;
  /** State of a repeated hour after the previous rows. */
  readonly hour?: RepeatedHour | undefined;
  /** The stored instant of a row that is read again. */
  readonly knownInstant?: number | undefined;
}

/** The location of the clip of a row. */
export interface ClipReference {
  readonly rowid: number;
  readonly date: string;
  /** The name of its folder before unsupported characters are replaced. */
  readonly common: string;
  readonly file: string;
}

/** A mapped row and the state of a repeated hour after it. */
export type MappedRow = Mapped & { readonly hour: RepeatedHour | undefined };

/** A call lasts three seconds. */
export const callMs = 3_000;
/** Padding on each side: the default length of a clip is six seconds. */
export const padMs = 1_500;

/** Maps a row to an event, or returns why it is skipped. Never throws. */
export function mapRow(row: BirdNetPiRow, context: BirdNetPiContext): MappedRow {
  const { zone, minConfidence, hour } = context;
  const date = readText(row.date) ?? '';
  const time = readText(row.time) ?? '';
  const wall = readWallClock(`${date} ${time}`);
  const drop = (reason: Sentence, at?: number, then = hour): MappedRow => ({
    dropped: { upstreamId: `row ${row.rowid}`, at, reason },
    hour: then,
  });
  if (wall === undefined) return drop(say('no_date', { text: `${date} ${time}`.slice(0, 40) }));
  const known = toKnownInstant(zone, wall, context.knownInstant);
  const read = known === undefined ? toInstantInOrder(zone, wall, hour) : { instant: known, hour };
  const { instant } = read;
  const speciesName = pairName(readText(row.scientific), readText(row.common));
  if (speciesName === undefined) return drop(say('no_species'), instant, read.hour);
  const score = readNumber(row.confidence);
  if (score === undefined || score < 0) return drop(say('no_confidence'), instant, read.hour);
  const file = readText(row.file) ?? '';
  if (file && !isFileName(file)) return drop(say('file_elsewhere'), instant, read.hour);
  const isChanged = isChangedByPerson(score);
  const tooLow = isChanged ? undefined : explainLowConfidence(score, minConfidence);
  if (tooLow !== undefined) return drop(tooLow, instant, read.hour);
  const common = readText(row.common) ?? '';
  const reference: ClipReference = { rowid: row.rowid, date, common, file };
  const start = instant - padMs;
  return {
    hour: read.hour,
    event: {
      upstreamId: keyOf({ date, time, scientific: readText(row.scientific) ?? common, score, file }),
      start,
      end: instant + callMs + padMs,
      isOpen: false,
      ...(isChanged && {
        isSame: (stored: KnownEvent) => isRowOf(row, stored.upstreamId, toClipReference(stored.reference)),
      }),
      camera: ['birdnet-pi', parseFileName(file)?.microphone].filter(Boolean).join('/'),
      processorVersion: 'birdnet-pi',
      detections: [
        detectionOf({
          speciesName,
          confidence: isChanged ? 1 : score,
          startOffset: padMs / 1000,
          endOffset: (padMs + callMs) / 1000,
          source: 'audio',
          provider: 'birdnet-pi',
          reviewed: isChanged,
        }),
      ],
      media: isRecordingPath(file)
        ? { extension: extensionOf(file), reference: { ...reference } }
        : undefined,
      extra: { birdnet_pi: { file, changed: isChanged } },
      rereadAfterMs: [],
    },
  };
}

/** Rows changed by a user have the confidence 0, in later versions 1.001. */
const isChangedByPerson = (score: number) => score === 0 || score > 1;

interface KeyParts {
  readonly date: string;
  readonly time: string;
  readonly scientific: string;
  readonly score: number;
  readonly file: string;
}

/**
 * The table has no primary key. Rows duplicated after a restart get equal keys. A changed row no longer has its original name and
 * confidence; its file name still contains the confidence in percent.
 */
function keyOf({ date, time, scientific, score, file }: KeyParts): string {
  if (!isChangedByPerson(score)) return `${date} ${time}|${scientific}|${score.toFixed(4)}`;
  return `${date} ${time}|changed|${parseFileName(file)?.suffix ?? scientific}`;
}

/** The parts of the name of a clip that stay when the species is changed. */
interface ClipName {
  /** Such as `RTSP_1`; undefined for a single microphone. */
  readonly microphone: string | undefined;
  readonly suffix: string;
}

const clipName = /-(\d{1,3}-\d{4}-\d\d-\d\d-birdnet-(?:(RTSP_\d{1,4})-)?\d\d:\d\d:\d\d)\.\w+$/;

function parseFileName(file: string): ClipName | undefined {
  const [, suffix = '', microphone] = clipName.exec(file) ?? [];
  return suffix ? { suffix, microphone } : undefined;
}

const extensionOf = (file: string) => file.slice(file.lastIndexOf('.')).toLowerCase();

/** Whether a text is a plain file name. */
function isFileName(text: string): boolean {
  return text.length <= 255 && !/[/\\\p{Cc}]/u.test(text) && text !== '.' && text !== '..';
}

function toKnownInstant(zone: string, wall: number, instant: number | undefined): number | undefined {
  if (instant === undefined) return undefined;
  const { first, second } = toInstants(zone, wall);
  return instant === first || instant === second ? instant : undefined;
}

/** Whether a row belongs to an event: it has the same key, or the same clip renamed to another species. */
export function isRowOf(
  row: BirdNetPiRow,
  upstreamId: string,
  reference: ClipReference | undefined,
): boolean {
  const score = readNumber(row.confidence);
  if (score === undefined) return false;
  const file = readText(row.file) ?? '';
  const [date = '', time = ''] = [readText(row.date), readText(row.time)];
  const scientific = readText(row.scientific) ?? readText(row.common) ?? '';
  if (keyOf({ date, time, scientific, score, file }) === upstreamId) return true;
  const suffix = parseFileName(file)?.suffix;
  const isSameTime = upstreamId.startsWith(`${date} ${time}|`);
  return (
    isSameTime &&
    isChangedByPerson(score) &&
    suffix !== undefined &&
    suffix === parseFileName(reference?.file ?? '')?.suffix
  );
}

/** Returns the date and time at the start of an event's key. */
export function timeOfKey(upstreamId: string): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = (upstreamId.split('|')[0] ?? '').split(' ');
  return { date, time };
}

/** Parses the stored reference of an event; undefined when it has no clip. */
export function toClipReference(reference: Json): ClipReference | undefined {
  const { rowid, date, common, file } = readObject(reference);
  if (typeof rowid !== 'number' || typeof date !== 'string' || typeof common !== 'string') return undefined;
  return typeof file === 'string' && isFileName(file) ? { rowid, date, common, file } : undefined;
}

/** Returns the possible paths of a clip below the folder of clips, most likely first. */
export function clipPaths({ date, common, file }: ClipReference): string[][] {
  const safe = common.replaceAll("'", '').replaceAll(' ', '_');
  const folders = [...new Set([safe, common])].filter((folder) => folder && isFileName(folder));
  return /^\d{4}-\d\d-\d\d$/.test(date) ? folders.map((folder) => ['By_Date', date, folder, file]) : [];
}
