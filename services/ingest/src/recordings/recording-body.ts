import { canonicalVideoPath, checkPostedPath, checkVideoPath, mediaKindOf } from '@birdhub/domain/media';
import {
  maxAheadMs,
  maxRecordingMs,
  minRecordingStart,
  type PostedDetection,
  type PostedRecording,
  slackSeconds,
} from '@birdhub/domain/recordings';
import { normaliseSpeciesName } from '@birdhub/domain/species';
import { type ErrorDetail, refuse } from '@birdhub/shared/errors';
import { parseInstant } from '@birdhub/shared/time';
import { compileSchema, toDetails } from '@birdhub/shared/validation';
import type pg from 'pg';
import { isName, isPlainText, toStorable } from '../plain-text.js';
import {
  type PostedDetectionBody,
  PostedDetectionSchema,
  type RecordingBody,
  RecordingHeadSchema,
} from './recordings.schema.js';
import { isStored } from './recordings.store.js';

const maxDetails = 20;

const checkHead = compileSchema(RecordingHeadSchema, 'all');
const checkRow = compileSchema(PostedDetectionSchema, 'first');

/** Returns the errors of a posted recording with their paths, at most about twenty. */
export function checkRecording(body: unknown, now: number): ErrorDetail[] {
  if (!checkHead(body)) return toDetails(checkHead.errors ?? [], 'body');
  const recording = body as RecordingBody;
  const details = [...checkTimes(recording, now), ...checkTexts(recording)];
  const start = parseInstant(recording.start_time) ?? 0;
  const end = parseInstant(recording.end_time) ?? start;
  return [...details, ...checkRows(recording.species, Math.max(0, end - start) / 1000)];
}

/**
 * Returns the errors of a posted recording like {@link checkRecording}. A path with names that begin with a dot is one,
 * unless the recording is stored already.
 */
export async function checkPostedRecording(
  pool: pg.Pool,
  body: unknown,
  now: number,
): Promise<ErrorDetail[]> {
  const details = checkRecording(body, now);
  if (details.length) return details;
  const { camera_id, video_path } = body as RecordingBody;
  const message = checkPostedPath(video_path);
  if (message === undefined) return [];
  if (await isStored(pool, camera_id ?? '', canonicalVideoPath(video_path))) return [];
  return [{ ...refuse('/video_path', 'media_path'), message }];
}

function checkTimes({ start_time, end_time }: RecordingBody, now: number): ErrorDetail[] {
  const start = parseInstant(start_time);
  const end = parseInstant(end_time);
  if (start === undefined || end === undefined) {
    const missing = [
      ...(start === undefined ? ['/start_time'] : []),
      ...(end === undefined ? ['/end_time'] : []),
    ];
    return missing.map((path) => refuse(path, 'date_time'));
  }
  const startProblem = checkInstant(start, now);
  if (startProblem) return [refuse('/start_time', startProblem)];
  const tooLong = checkLength(start, end, 'start_time');
  if (tooLong) return [tooLong];
  const endProblem = checkInstant(end, now);
  return endProblem ? [refuse('/end_time', endProblem)] : [];
}

/** Returns what is wrong with the time of a recording or a sighting; undefined when it is valid. */
export function checkInstant(instant: number, now: number): 'before_2000' | 'too_far_ahead' | undefined {
  if (instant < minRecordingStart) return 'before_2000';
  return instant > now + maxAheadMs ? 'too_far_ahead' : undefined;
}

/** Returns what is wrong with `end_time`; undefined when it is valid. `startName` is the field of the start. */
export function checkLength(start: number, end: number, startName: string): ErrorDetail | undefined {
  if (end < start) return refuse('/end_time', 'end_before_start', { start: startName });
  const isTooLong = end - start > maxRecordingMs;
  return isTooLong ? refuse('/end_time', 'end_too_late', { start: startName }) : undefined;
}

function checkTexts(body: RecordingBody): ErrorDetail[] {
  const { video_path, spectrogram_path, camera_id, trigger_source, processor_version } = body;
  const paths = { '/video_path': video_path, '/spectrogram_path': spectrogram_path };
  const texts = {
    '/camera_id': camera_id,
    '/trigger_source': trigger_source,
    '/processor_version': processor_version,
  };
  const details: ErrorDetail[] = [];
  for (const [path, value] of Object.entries(paths)) {
    const message = value ? checkVideoPath(value) : undefined;
    if (message !== undefined) details.push({ ...refuse(path, 'media_path'), message });
    else if (value && !value.isWellFormed()) details.push(refuse(path, 'plain_text'));
  }
  if (video_path === '') details.push(refuse('/video_path', 'required'));
  for (const [path, value] of Object.entries(texts)) {
    if (value && !isPlainText(value)) details.push(refuse(path, 'plain_text'));
  }
  return details;
}

function checkRows(rows: readonly unknown[], seconds: number): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const [index, row] of rows.entries()) {
    const path = `/species/${index}`;
    if (checkRow(row)) {
      details.push(...checkAgainstRecording(row as PostedDetectionBody, path, seconds));
    } else {
      for (const detail of toDetails(checkRow.errors ?? [], 'body')) {
        details.push({ ...detail, path: path + detail.path });
      }
    }
    if (details.length >= maxDetails) break;
  }
  return details;
}

/** Returns how a detection contradicts its recording; `path` is that of the row in the body. */
function checkAgainstRecording(row: PostedDetectionBody, path: string, seconds: number): ErrorDetail[] {
  const name = row.species_name ?? row.species;
  if (!name?.trim()) return [refuse(`${path}/species_name`, 'required')];
  const key = row.species_name == null ? 'species' : 'species_name';
  if (!isName(name)) return [refuse(`${path}/${key}`, 'plain_name')];
  const latest = seconds + slackSeconds;
  const tooLate = (field: string): ErrorDetail[] => [
    {
      path: `${path}/${field}`,
      message: `must be at most ${latest}`,
      code: 'too_large',
      values: { limit: latest },
    },
  ];
  if (row.start_time > latest) return tooLate('start_time');
  if (row.end_time > latest) return tooLate('end_time');
  if (row.end_time < row.start_time)
    return [refuse(`${path}/end_time`, 'end_before_start', { start: 'start_time' })];
  const late = row.frames?.findIndex(({ t }) => t > latest) ?? -1;
  if (late >= 0) return tooLate(`frames/${late}/t`);
  for (const key of ['track_id', 'detection_provider'] as const) {
    const value = row[key];
    if (typeof value === 'string' && !isPlainText(value)) {
      return [refuse(`${path}/${key}`, 'plain_text')];
    }
  }
  return [];
}

/** Converts a validated body for the recording writer. */
export function toRecording(body: RecordingBody): PostedRecording {
  const {
    processor_version,
    start_time,
    end_time,
    video_path,
    spectrogram_path,
    camera_id,
    trigger_source,
    species,
    ...rest
  } = body;
  return {
    processorVersion: processor_version,
    start: toInstant(start_time),
    end: toInstant(end_time),
    videoPath: canonicalVideoPath(video_path),
    cameraId: camera_id ?? '',
    spectrogramPath: toSpectrogramPath(spectrogram_path),
    triggerSource: trigger_source ?? null,
    extra: toExtra(rest),
    detections: species.map((row) =>
      toDetection(row, mediaKindOf(video_path) === 'audio' ? 'audio' : 'video'),
    ),
  };
}

/** Returns the stored path of a spectrogram; null for hidden files and those that are no pictures. */
function toSpectrogramPath(path: string | null | undefined): string | null {
  const isUsable = path && mediaKindOf(path) === 'image' && checkPostedPath(path) === undefined;
  return isUsable ? canonicalVideoPath(path) : null;
}

function toDetection(row: PostedDetectionBody, kind: PostedDetection['source']): PostedDetection {
  const {
    species_name,
    species,
    confidence,
    start_time,
    end_time,
    source,
    track_id,
    detection_provider,
    frames,
    ...rest
  } = row;
  return {
    speciesName: normaliseSpeciesName(species_name ?? species ?? ''),
    confidence,
    startOffset: start_time,
    endOffset: end_time,
    source: source ?? kind,
    trackId: track_id == null || track_id === '' ? null : String(track_id),
    provider: detection_provider ?? null,
    frames: (frames ?? []).map(({ t, bbox }) => ({ t, bbox: bbox as [number, number, number, number] })),
    extra: toExtra(rest),
  };
}

type Extra = Record<string, unknown> | null;

function toExtra(rest: object): Extra {
  return Object.keys(rest).length ? (toStorable(rest) as Extra) : null;
}

function toInstant(text: string): number {
  const instant = parseInstant(text);
  if (instant === undefined) throw new RangeError(`not an instant: ${text}`);
  return instant;
}
