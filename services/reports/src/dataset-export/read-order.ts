import { invalidField } from '@birdhub/shared/errors';
import { dayWindow, isDay } from '@birdhub/shared/time';
import { isYes } from '../is-yes.js';
import type { DatasetQuery } from './dataset-export.schema.js';
import type { DatasetOrder } from './write-dataset.js';

/** Nothing is recorded outside these. */
const earliest = Date.UTC(1999, 11, 31);
const latest = Date.UTC(9999, 0, 1);

function readDay(name: string, day: string | undefined, zone: string) {
  if (day === undefined) return undefined;
  if (!isDay(day)) throw invalidField(name, 'must be a day, YYYY-MM-DD');
  return dayWindow(zone, day);
}

/**
 * The data set that is asked for; days are those of the zone, both in it.
 * @throws HubError invalid_request that names the parameter
 */
export function readOrder(query: DatasetQuery, zone: string, now: number): DatasetOrder {
  const start = readDay('start_date', query.start_date, zone)?.start ?? earliest;
  const end = readDay('end_date', query.end_date, zone)?.end ?? latest;
  if (query.start_date && query.end_date && query.end_date < query.start_date)
    throw invalidField('end_date', 'must not be before start_date');
  return {
    search: { start, end, minConfidence: query.min_confidence, onlyReviewed: isYes(query.only_reviewed) },
    format: query.format,
    valRatio: query.val_ratio,
    splitSeed: query.split_seed,
    createdAt: now,
  };
}
