import type { ErrorDetail } from '@birdhub/shared/errors';
import { dayWindow, isDay } from '@birdhub/shared/time';
import { invalidRequest } from '@birdhub/shared/validation';
import type { PurgeBody } from './storage.schema.js';
import type { RecordingSpan } from './stored-recordings.store.js';

type Dates = Pick<PurgeBody, 'date' | 'start_date' | 'end_date'>;

/** PostgreSQL takes instants from year 1 on in ISO form, and a zone may be ahead. */
const firstDay = '0002-01-01';
const lastDay = '9999-12-30';

function findProblems({ date, start_date, end_date }: Dates): ErrorDetail[] {
  const given = Object.entries({ date, start_date, end_date }).filter(([, day]) => day !== undefined);
  const names = given.map(([name]) => name).join(' ');
  if (names === '')
    return ['/date', '/start_date', '/end_date'].map((path) => ({
      path,
      message: 'is required: either date, or start_date and end_date',
    }));
  if (date !== undefined && given.length > 1)
    return given.map(([name]) => ({ path: `/${name}`, message: 'either date, or start_date and end_date' }));
  if (names === 'start_date') return [{ path: '/end_date', message: 'is required with start_date' }];
  if (names === 'end_date') return [{ path: '/start_date', message: 'is required with end_date' }];
  const unreal = given.filter(
    ([, day]) => !isDay(String(day)) || String(day) < firstDay || String(day) > lastDay,
  );
  if (unreal.length) return unreal.map(([name]) => ({ path: `/${name}`, message: 'must be YYYY-MM-DD' }));
  if (String(start_date) > String(end_date))
    return [{ path: '/end_date', message: 'must not be before start_date' }];
  return [];
}

/**
 * The time that a purge is about: everything up to the end of a day, or from the first to the last of some.
 * @throws HubError invalid_request
 */
export function purgeSpan(dates: Dates, zone: string): RecordingSpan {
  const problems = findProblems(dates);
  if (problems.length) throw invalidRequest(problems);
  const { date, start_date, end_date } = dates;
  const first = start_date === undefined ? Number.NEGATIVE_INFINITY : dayWindow(zone, start_date).start;
  return { from: first, before: dayWindow(zone, date ?? String(end_date)).end };
}
