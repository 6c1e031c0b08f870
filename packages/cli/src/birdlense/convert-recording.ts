import { canonicalVideoPath, checkVideoPath } from '@birdhub/domain/media';
import {
  type Frame,
  maxAheadMs,
  maxRecordingMs,
  minRecordingStart,
  type PostedDetection,
  type PostedRecording,
  slackSeconds,
} from '@birdhub/domain/recordings';
import { normaliseSpeciesName } from '@birdhub/domain/species';
import { formatInstant, parseInstant } from '@birdhub/shared/time';
import { idOf, isTrue, numberOf, type OldRecording, type OldRow, restOf, textOf } from './old-hub.js';

/** Why a row of the old database is skipped. */
export interface Refused {
  readonly reason: string;
}

/** The weather at the start of a recording; both hubs use the same units. */
interface OldWeather {
  readonly main: string | null;
  readonly description: string | null;
  readonly temp: number | null;
  readonly humidity: number | null;
  readonly pressure: number | null;
  readonly clouds: number | null;
  readonly windSpeed: number | null;
}

/** A recording of the old hub, converted for this one. */
export interface ConvertedRecording {
  readonly oldId: number | undefined;
  readonly posted: PostedRecording;
  readonly isFavorite: boolean;
  /** RFC 3339. */
  readonly createdAt: string | null;
  readonly weather: OldWeather | undefined;
  /** Old ids. */
  readonly foods: readonly number[];
  /** The reasons of its skipped detections. */
  readonly refused: readonly Refused[];
}

const maxDetections = 5_000;

const weatherColumns = ['temp', 'humidity', 'pressure', 'clouds', 'wind_speed'].map(
  (name) => `weather_${name}`,
);
const knownVideoColumns: ReadonlySet<string> = new Set([
  ...['id', 'created_at', 'processor_version', 'start_time', 'end_time', 'video_path', 'spectrogram_path'],
  ...['favorite', 'camera_id', 'trigger_source', 'deleted_at', 'idempotency_key', 'ingest_payload_hash'],
  ...['weather_main', 'weather_description', ...weatherColumns],
]);

// Times have no offset: processors of the BirdLense family send UTC, and SQLite stores the text as sent.
const instantOf = (row: OldRow, column: string) => parseInstant(textOf(row, column) ?? '');

function readSpan(video: OldRow, now: number): { start: number; end: number } | Refused {
  const start = instantOf(video, 'start_time');
  const end = instantOf(video, 'end_time');
  if (start === undefined || end === undefined) return { reason: 'its times cannot be read' };
  if (start < minRecordingStart || end > now + maxAheadMs)
    return { reason: 'it is before 2000 or in the future' };
  if (end < start) return { reason: 'it ends before it starts' };
  if (end - start > maxRecordingMs) return { reason: 'it is longer than 24 hours' };
  return { start, end };
}

function readWeather(video: OldRow): OldWeather | undefined {
  const [temp = null, humidity = null, pressure = null, clouds = null, windSpeed = null] = weatherColumns.map(
    (column) => numberOf(video, column),
  );
  const main = textOf(video, 'weather_main', 100) ?? null;
  const description = textOf(video, 'weather_description', 200) ?? null;
  const weather = { main, description, temp, humidity, pressure, clouds, windSpeed };
  return Object.values(weather).some((value) => value !== null) ? weather : undefined;
}

function readHead(video: OldRow): Omit<PostedRecording, 'start' | 'end' | 'detections'> | Refused {
  const videoPath = toHubPath(textOf(video, 'video_path') ?? '');
  if (videoPath === undefined) return { reason: 'its path is not in a recordings folder' };
  return {
    processorVersion: textOf(video, 'processor_version', 200) ?? '',
    videoPath,
    cameraId: textOf(video, 'camera_id', 64) ?? '',
    spectrogramPath: toHubPath(textOf(video, 'spectrogram_path') ?? '') ?? null,
    triggerSource: textOf(video, 'trigger_source', 200) ?? null,
    extra: restOf(video, knownVideoColumns),
  };
}

/** Converts a recording of the old database, or returns why it is skipped. */
export function convertRecording(
  { video, detections: rows, foods }: OldRecording,
  speciesNames: ReadonlyMap<number, string>,
  now: number,
): ConvertedRecording | Refused {
  if ((video['deleted_at'] ?? null) !== null) return { reason: 'it was deleted in the old hub' };
  const span = readSpan(video, now);
  if ('reason' in span) return span;
  const head = readHead(video);
  if ('reason' in head) return head;
  if (rows.length > maxDetections) return { reason: `it has more than ${maxDetections} detections` };
  const detections: PostedDetection[] = [];
  const refused: Refused[] = [];
  for (const row of rows) {
    const detection = convertDetection(row, span, speciesNames);
    if ('reason' in detection) refused.push(detection);
    else detections.push(detection);
  }
  const createdAt = instantOf(video, 'created_at');
  return {
    oldId: idOf(video, 'id'),
    posted: { ...head, ...span, detections },
    isFavorite: isTrue(video, 'favorite'),
    createdAt: createdAt === undefined ? null : formatInstant(createdAt),
    weather: readWeather(video),
    foods,
    refused,
  };
}

const maxNameLength = 200;

const knownDetectionColumns: ReadonlySet<string> = new Set([
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

/** When a user reviewed it; the old hub stores only the creation time of the row. */
function reviewOf(row: OldRow, recordingEnd: number): Pick<PostedDetection, 'reviewed' | 'reviewedAt'> {
  if (!isTrue(row, 'manually_corrected')) return {};
  const at = parseInstant(textOf(row, 'created_at') ?? '') ?? recordingEnd;
  return { reviewed: true, reviewedAt: formatInstant(at) };
}

function findMistake(row: OldRow, seconds: number): string | undefined {
  const [start, end, confidence] = ['start_time', 'end_time', 'confidence'].map((key) => numberOf(row, key));
  if (start === undefined || end === undefined) return 'has no times';
  if (start < 0 || end < start) return 'has times that are negative or swapped';
  if (end > seconds + slackSeconds) return 'is after the end of its recording';
  if (confidence === undefined || confidence < 0 || confidence > 1) return 'has no confidence from 0 to 1';
  if (!['video', 'audio'].includes(textOf(row, 'source') ?? ''))
    return 'has a source other than video and audio';
  return undefined;
}

/** Converts a row of `video_species`, or returns why it is skipped; the recording's span is in ms. */
function convertDetection(
  row: OldRow,
  span: { readonly start: number; readonly end: number },
  speciesNames: ReadonlyMap<number, string>,
): PostedDetection | Refused {
  const mistake = findMistake(row, (span.end - span.start) / 1000);
  if (mistake !== undefined) return { reason: `a detection ${mistake}` };
  const name = normaliseSpeciesName(speciesNames.get(idOf(row, 'species_id') ?? Number.NaN) ?? '');
  if (name === '' || name.length > maxNameLength) return { reason: 'a detection has no species in the file' };
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
    extra: restOf(row, knownDetectionColumns),
    ...reviewOf(row, span.end),
  };
}

const isCorner = (value: unknown): value is number =>
  typeof value === 'number' && value >= -0.05 && value <= 1.05;

function toFrame(given: unknown): Frame | undefined {
  const { t, bbox } = (given ?? {}) as { t?: unknown; bbox?: unknown };
  if (typeof t !== 'number' || t < 0 || !Array.isArray(bbox) || bbox.length !== 4) return undefined;
  const [x1, y1, x2, y2] = bbox;
  if (![x1, y1, x2, y2].every(isCorner)) return undefined;
  return { t, bbox: [x1, y1, x2, y2] };
}

/** Parses the boxes in a JSON text; skips those that are malformed or outside the picture. */
export function readFrames(text: string | undefined): Frame[] {
  try {
    const frames: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(frames) ? frames.map(toFrame).filter((frame) => frame !== undefined) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const publicFolder = 'data/recordings/';

/** Removes the folders above the recordings folder, which are specific to the old machine. */
function cutMachineFolders(path: string): string {
  const relative = path.replace(/^(?:\.\/)+/, '');
  const at = relative.lastIndexOf(`/${publicFolder}`);
  if (relative.startsWith(publicFolder) || at < 0) return relative;
  // A nested folder of the same name is cut too, so that the path is refused rather than misread.
  const head = `${relative.slice(0, at)}/`;
  return head.endsWith(`/${publicFolder}`) ? publicFolder + relative.slice(at + 1) : relative.slice(at + 1);
}

/** Converts a path of the old hub; returns undefined for a path that this hub does not accept. */
export function toHubPath(path: string): string | undefined {
  const inHub = cutMachineFolders(path);
  return inHub === '' || checkVideoPath(inHub) !== undefined ? undefined : canonicalVideoPath(inHub);
}
