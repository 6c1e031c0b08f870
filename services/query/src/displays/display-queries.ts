import { invalidField } from '@birdhub/shared/errors';
import {
  dayMs,
  dayNumber,
  dayOfNumber,
  daysBefore,
  firstInstantAt,
  hourMs,
  isDay,
  type TimeWindow,
} from '@birdhub/shared/time';
import type { DaySpan, DisplayFrame, PageSearch } from './display-visits.store.js';
import type { DisplayHoursQuery, DisplayVisitsQuery } from './displays.schema.js';

const defaultResults = 100;
const defaultDays = 30;
const maxHourlyDays = 366;
/** The span of all days. */
const allDays: DaySpan = { first: '1970-01-01', last: '9998-12-31' };

/** Returns the search for a page of visits. @throws HubError invalid_request */
export function readPageSearch(query: DisplayVisitsQuery, frame: DisplayFrame, today: string): PageSearch {
  const { species, search, numResults, limit, offset = 0, sortBy } = query;
  const hours = readHourWindow(query, frame.zone, today);
  return {
    within: hours ? { hours } : { days: readQuerySpan(query) },
    match: { species, search, language: frame.language },
    limit: numResults ?? limit ?? defaultResults,
    offset,
    isAscending: sortBy === 'date_asc',
  };
}

/** Returns the requested hours; undefined when none are requested. @throws HubError invalid_request */
function readHourWindow(
  { queryType, hour, date, duration }: DisplayVisitsQuery,
  zone: string,
  today: string,
): TimeWindow | undefined {
  if (hour === undefined) {
    if (queryType === 'hourly') throw invalidField('hour', 'is required with queryType=hourly');
    return undefined;
  }
  const day = date ? requireDay('date', date) : today;
  const [first = 0, last] = hour.split('-').map(Number);
  if (last !== undefined && last < first) throw invalidField('hour', 'must not end before it starts');
  const hours = last === undefined ? Math.max(1, duration ?? 1) : last - first + 1;
  const start = firstInstantAt(zone, dayNumber(day) * dayMs + first * hourMs);
  return { start, end: start + hours * hourMs };
}

/** @throws HubError invalid_request */
function readQuerySpan({ date, start_date, end_date }: DisplayVisitsQuery): DaySpan {
  if (!date) return readSpan(start_date, end_date);
  if (start_date || end_date) throw invalidField('date', 'must not be combined with start_date or end_date');
  const day = requireDay('date', date);
  return { first: day, last: day };
}

/** Returns the days of optional dates. @throws HubError invalid_request */
export function readSpan(start: string | undefined, end: string | undefined): DaySpan {
  const first = start ? requireDay('start_date', start) : allDays.first;
  return requireOrder({ first, last: end ? requireDay('end_date', end) : allDays.last });
}

/** Returns the days from a required date. @throws HubError invalid_request */
export function readRequiredSpan({
  start_date,
  end_date,
}: {
  start_date: string;
  end_date?: string;
}): DaySpan {
  const first = requireDay('start_date', start_date);
  const last = end_date ? requireDay('end_date', end_date) : dayOfNumber(dayNumber(first) + defaultDays);
  return requireOrder({ first, last });
}

/** Returns the days of the hours of the day. @throws HubError invalid_request */
export function readHourlySpan({ start_date, end_date }: DisplayHoursQuery, today: string): DaySpan {
  const last = end_date ? requireDay('end_date', end_date) : today;
  const first = start_date ? requireDay('start_date', start_date) : daysBefore(last, defaultDays);
  return requireOrder({ first, last }, maxHourlyDays);
}

/** @throws HubError invalid_request, naming the field */
export function requireDay(field: string, day: string): string {
  if (!isDay(day) || day < allDays.first || day > allDays.last)
    throw invalidField(field, 'must be a calendar day YYYY-MM-DD, from 1970 on');
  return day;
}

function requireOrder(span: DaySpan, maxDays?: number): DaySpan {
  if (span.first > span.last) throw invalidField('start_date', 'must not be after end_date');
  if (maxDays !== undefined && dayNumber(span.last) - dayNumber(span.first) > maxDays)
    throw invalidField('start_date', `must be at most ${maxDays} days before end_date`);
  return span;
}
