import { isRecordingPath } from '@birdhub/domain/media';
import { type RepeatedHour, readWallClock, toInstantInOrder, toInstants } from '../local-time.js';
import { type Sentence, say } from '../sentences.js';
import type { Json } from '../source-kind.js';
import {
  detectionOf,
  explainLowConfidence,
  type Mapped,
  pairName,
  readNumber,
  readObject,
  readText,
} from '../upstream-values.js';

/** A row of `detections` as it is read. */
export interface BirdNetPiRow {
  readonly rowid: number;
  readonly date: unknown;
  readonly time: unknown;
  readonly scientific: unknown;
  readonly common: unknown;
  readonly confidence: unknown;
  readonly file: unknown;
}

/** What the mapping needs to know beside the row. */
export interface BirdNetPiContext {
  readonly zone: string;
  readonly minConfidence: number | undefined;
  /** What is known of the repeated hour from the rows before. */
  readonly hour?: RepeatedHour | undefined;
  /** The instant that is known of a row that is read again. */
  readonly knownInstant?: number | undefined;
}

/** Where the clip of a row is. */
export interface ClipReference {
  readonly rowid: number;
  readonly date: string;
  /** The name of its folder, before what the file system does not like is replaced. */
  readonly common: string;
  readonly file: string;
}

/** A row with its time and key. */
export type MappedRow = Mapped & { readonly hour: RepeatedHour | undefined };

/** A call lasts three seconds. */
export const callMs = 3_000;
/** The default length of a clip is six seconds, with the call in its middle. */
export const padMs = 1_500;

/** Returns the event of a row, or why there is none. Never throws. */
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

/** Rows whose bird a person changed have the confidence 0, in later versions 1.001. */
const isChangedByPerson = (score: number) => score === 0 || score > 1;

interface KeyParts {
  readonly date: string;
  readonly time: string;
  readonly scientific: string;
  readonly score: number;
  readonly file: string;
}

/**
 * The table has no key. Rows that were written twice after a restart are equal in all that the key is made of. A row
 * whose bird was changed has lost name and confidence, of which its file keeps the latter in percent.
 */
function keyOf({ date, time, scientific, score, file }: KeyParts): string {
  if (!isChangedByPerson(score)) return `${date} ${time}|${scientific}|${score.toFixed(4)}`;
  return `${date} ${time}|changed|${parseFileName(file)?.suffix ?? scientific}`;
}

/** What the name of a clip says beside the bird: it stays when the bird is changed. */
interface ClipName {
  /** Such as `RTSP_1`; undefined for the only microphone. */
  readonly microphone: string | undefined;
  readonly suffix: string;
}

const clipName = /-(\d{1,3}-\d{4}-\d\d-\d\d-birdnet-(?:(RTSP_\d{1,4})-)?\d\d:\d\d:\d\d)\.\w+$/;

function parseFileName(file: string): ClipName | undefined {
  const [, suffix = '', microphone] = clipName.exec(file) ?? [];
  return suffix ? { suffix, microphone } : undefined;
}

const extensionOf = (file: string) => file.slice(file.lastIndexOf('.')).toLowerCase();

/** Whether a text is the name of one file, in whatever folder it is. */
function isFileName(text: string): boolean {
  return text.length <= 255 && !/[/\\\p{Cc}]/u.test(text) && text !== '.' && text !== '..';
}

function toKnownInstant(zone: string, wall: number, instant: number | undefined): number | undefined {
  if (instant === undefined) return undefined;
  const { first, second } = toInstants(zone, wall);
  return instant === first || instant === second ? instant : undefined;
}

/** Whether a row is that of an event: it has its key, or a person gave its clip the name of another bird. */
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

/** Returns the date and time that begin the key of an event. */
export function timeOfKey(upstreamId: string): { readonly date: string; readonly time: string } {
  const [date = '', time = ''] = (upstreamId.split('|')[0] ?? '').split(' ');
  return { date, time };
}

/** Reads the reference that an event was stored with; undefined when it had no clip. */
export function toClipReference(reference: Json): ClipReference | undefined {
  const { rowid, date, common, file } = readObject(reference);
  if (typeof rowid !== 'number' || typeof date !== 'string' || typeof common !== 'string') return undefined;
  return typeof file === 'string' && isFileName(file) ? { rowid, date, common, file } : undefined;
}

/** Returns the paths below the folder of clips at which the clip of a row may be, the likeliest first. */
export function clipPaths({ date, common, file }: ClipReference): string[][] {
  const safe = common.replaceAll("'", '').replaceAll(' ', '_');
  const folders = [...new Set([safe, common])].filter((folder) => folder && isFileName(folder));
  return /^\d{4}-\d\d-\d\d$/.test(date) ? folders.map((folder) => ['By_Date', date, folder, file]) : [];
}
