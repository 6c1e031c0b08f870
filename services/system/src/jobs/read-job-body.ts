import { invalidField } from '@birdhub/shared/errors';
import { dayWindow, isDay } from '@birdhub/shared/time';
import type { RecordingChoice } from './job.js';
import type { JobBody } from './jobs.schema.js';

function windowOf(path: string, day: string | undefined, zone: string) {
  if (day === undefined) return undefined;
  if (!isDay(day)) throw invalidField(path, 'must be YYYY-MM-DD');
  return dayWindow(zone, day);
}

const toIso = (instant: number | undefined) =>
  instant === undefined ? null : new Date(instant).toISOString();

/**
 * Which recordings are meant by days of a zone and by ids.
 * @throws HubError invalid_request
 */
export function readJobBody(body: JobBody | null | undefined, zone: string): RecordingChoice {
  const { force = false, start_date, end_date, video_ids } = body ?? {};
  const first = windowOf('/start_date', start_date, zone);
  const last = windowOf('/end_date', end_date, zone);
  if (first && last && first.start > last.start)
    throw invalidField('/end_date', 'must not be before start_date');
  return { force, from: toIso(first?.start), to: toIso(last?.end), videoIds: video_ids ?? null };
}
