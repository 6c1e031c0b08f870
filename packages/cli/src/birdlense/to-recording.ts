import type { PostedDetection, PostedRecording } from '@birdhub/domain/recordings';
import { formatInstant, parseInstant } from '@birdhub/shared/time';
import { toHubPath } from './hub-path.js';
import { idOf, isTrue, numberOf, type OldRecording, type OldRow, restOf, textOf } from './old-rows.js';
import { type Refused, toDetection } from './to-detection.js';

/** The weather at the start of a recording, in the units of the old hub, which are those of this one. */
export interface OldWeather {
  readonly main: string | null;
  readonly description: string | null;
  readonly temp: number | null;
  readonly humidity: number | null;
  readonly pressure: number | null;
  readonly clouds: number | null;
  readonly windSpeed: number | null;
}

/** A recording of the old hub as this one takes it. */
export interface Found {
  readonly oldId: number | undefined;
  readonly posted: PostedRecording;
  readonly isFavorite: boolean;
  /** RFC 3339. */
  readonly createdAt: string | null;
  readonly weather: OldWeather | undefined;
  /** Old ids. */
  readonly foods: readonly number[];
  /** Its detections that are not taken. */
  readonly refused: readonly Refused[];
}

const longestMs = 24 * 3_600_000;
const mostAheadMs = 24 * 3_600_000;
const earliest = Date.UTC(2000, 0, 1);
const mostDetections = 5_000;

const weatherColumns = ['temp', 'humidity', 'pressure', 'clouds', 'wind_speed'].map(
  (name) => `weather_${name}`,
);
const known: ReadonlySet<string> = new Set([
  ...['id', 'created_at', 'processor_version', 'start_time', 'end_time', 'video_path', 'spectrogram_path'],
  ...['favorite', 'camera_id', 'trigger_source', 'deleted_at', 'idempotency_key', 'ingest_payload_hash'],
  ...['weather_main', 'weather_description', ...weatherColumns],
]);

// Its times have no offset: processors of that family send UTC, and SQLite keeps what they send.
const instantOf = (row: OldRow, column: string) => parseInstant(textOf(row, column) ?? '');

function readSpan(video: OldRow, now: number): { start: number; end: number } | Refused {
  const start = instantOf(video, 'start_time');
  const end = instantOf(video, 'end_time');
  if (start === undefined || end === undefined) return { reason: 'its times cannot be read' };
  if (start < earliest || end > now + mostAheadMs) return { reason: 'it is before 2000 or in the future' };
  if (end < start) return { reason: 'it ends before it starts' };
  if (end - start > longestMs) return { reason: 'it is longer than 24 hours' };
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
  if (videoPath === undefined) return { reason: 'its path is not one of a recordings folder' };
  return {
    processorVersion: textOf(video, 'processor_version', 200) ?? '',
    videoPath,
    cameraId: textOf(video, 'camera_id', 64) ?? '',
    spectrogramPath: toHubPath(textOf(video, 'spectrogram_path') ?? '') ?? null,
    triggerSource: textOf(video, 'trigger_source', 200) ?? null,
    extra: restOf(video, known),
  };
}

/** A recording of the old database as this hub takes it, or why it does not. */
export function toRecording(
  { video, detections: rows, foods }: OldRecording,
  speciesNames: ReadonlyMap<number, string>,
  now: number,
): Found | Refused {
  if ((video['deleted_at'] ?? null) !== null) return { reason: 'it was deleted in the old hub' };
  const span = readSpan(video, now);
  if ('reason' in span) return span;
  const head = readHead(video);
  if ('reason' in head) return head;
  if (rows.length > mostDetections) return { reason: `it has more than ${mostDetections} detections` };
  const detections: PostedDetection[] = [];
  const refused: Refused[] = [];
  for (const row of rows) {
    const detection = toDetection(row, span, speciesNames);
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
