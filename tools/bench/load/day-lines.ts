import { hourMs } from '@birdhub/shared/time';
import { boxesPerDetection, drawBoxes } from '../data-set/box-track.js';
import type { DataDay, DataRecording, DataVisit } from '../data-set/data-day.js';
import { cameraIds } from '../data-set/scale.js';
import type { WeatherHour } from '../data-set/surroundings.js';
import { copyLine, timestamp } from './copy-text.js';
import { dayRollups } from './rollups.js';
import type { TableLines } from './tables.js';

/** The row of a species in the database. */
export interface KnownSpecies {
  readonly id: number;
  readonly name: string;
}

/** The rows to which the rows of a day refer. */
export interface DayContext {
  /** By the index into `speciesProfiles`. */
  readonly species: readonly KnownSpecies[];
  readonly weather: readonly WeatherHour[];
  readonly foodIds: readonly number[];
  readonly hasBoxes: boolean;
}

/** Size of a video file per ms: 2 Mbit/s. */
const bytesPerMs = 250;

function weatherLine({ id, at, main, temp, humidity, pressure, clouds, windSpeed }: WeatherHour): string {
  const description = main.toLowerCase();
  return copyLine([
    id,
    'bench',
    main,
    description,
    temp,
    humidity,
    pressure,
    clouds,
    windSpeed,
    timestamp(at),
  ]);
}

function videoLine(recording: DataRecording, day: DataDay, { weather }: DayContext): string {
  const { id, camera, path, start, end, detections } = recording;
  const weatherId = weather[Math.floor((start - day.start) / hourMs)]?.id ?? null;
  const hash = `\\x${id.toString(16).padStart(40, '0')}`;
  const storedAt = timestamp(end + 1_000);
  const cameraId = cameraIds[camera] ?? null;
  const times = [timestamp(start), timestamp(end)];
  return copyLine([
    id,
    cameraId,
    path,
    'bench',
    ...times,
    'ready',
    (end - start) * bytesPerMs,
    weatherId,
    detections.length,
    hash,
    storedAt,
    storedAt,
  ]);
}

function visitLine(visit: DataVisit, { species }: DayContext): string {
  const { id, start, end, maxSimultaneous, detectionIds, videoCount } = visit;
  const speciesId = species[visit.species]?.id ?? null;
  const times = [timestamp(start), timestamp(end)];
  return copyLine([id, speciesId, ...times, maxSimultaneous, detectionIds.length, videoCount]);
}

function detectionLines(
  { id, start, detections }: DataRecording,
  visitOf: Map<number, number>,
  context: DayContext,
) {
  const lines = detections.map((detection, position) => {
    const known = context.species[detection.species];
    const { startOffset, endOffset, confidence, source } = detection;
    const isVideo = source === 'video';
    return copyLine([
      detection.id,
      id,
      known?.id ?? null,
      visitOf.get(detection.id) ?? null,
      timestamp(start + startOffset),
      timestamp(start + endOffset),
      startOffset / 1000,
      endOffset / 1000,
      confidence,
      source,
      isVideo ? String(position + 1) : null,
      isVideo ? 'yolo' : 'birdnet',
      known?.name ?? null,
    ]);
  });
  return lines.join('');
}

function boxLines({ detections }: DataRecording): string {
  return detections
    .filter(({ source }) => source === 'video')
    .map((detection) => copyLine([detection.id, drawBoxes(detection, boxesPerDetection)]))
    .join('');
}

/** Returns all rows of a day. */
export function dayLines(day: DataDay, context: DayContext): TableLines {
  const { made, visits } = day;
  const visitOf = new Map(visits.flatMap(({ id, detectionIds }) => detectionIds.map((one) => [one, id])));
  const foodLines = ({ id }: DataRecording) => context.foodIds.map((food) => copyLine([id, food])).join('');
  return {
    weather_snapshot: context.weather.map(weatherLine).join(''),
    video: made.map((recording) => videoLine(recording, day, context)).join(''),
    video_food: made.map(foodLines).join(''),
    species_visit: visits.map((visit) => visitLine(visit, context)).join(''),
    detection: made.map((recording) => detectionLines(recording, visitOf, context)).join(''),
    detection_track: context.hasBoxes ? made.map(boxLines).join('') : '',
    visit_day: dayRollups(day)
      .map((row) => {
        const speciesId = context.species[row.species]?.id ?? null;
        const counts = [row.visits, row.individuals, row.videoVisits, row.detections];
        return copyLine([day.date, speciesId, ...counts, row.durationMs / 1000]);
      })
      .join(''),
  };
}
