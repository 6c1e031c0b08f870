import { readWindow } from '@birdhub/domain/timeline';
import { invalidField } from '@birdhub/shared/errors';
import { type DayWindow, dayWindowAt, isMonth, monthWindow, type TimeWindow } from '@birdhub/shared/time';
import { type ReportFormat, toLocalMoment } from './format.js';

/** The query parameters of a period. */
export interface PeriodQuery {
  readonly month?: string | undefined;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
}

/** The period of a report. */
export interface ReportPeriod {
  readonly window: TimeWindow;
  readonly zone: string;
  /** The calendar days that overlap the window, in order; the first and last may be partial. */
  readonly days: readonly DayWindow[];
  readonly title: string;
  /** The period as text. */
  readonly span: string;
  readonly fileName: string;
}

const maxDays = 93;
const years = 'must lie in the years 1900 to 9998';
const calendar = { start: Date.UTC(1900, 0, 1), end: Date.UTC(9999, 0, 1) };

const compact = (day: string) => day.replaceAll('-', '');

function listDays(zone: string, { start, end }: TimeWindow): DayWindow[] {
  const days: DayWindow[] = [];
  for (let at = start; at < end; at = days.at(-1)?.end ?? end) days.push(dayWindowAt(zone, at));
  return days;
}

function readMonth(month: string, zone: string, format: ReportFormat): ReportPeriod {
  if (!isMonth(month)) throw invalidField('month', 'must be a month, YYYY-MM');
  if (month < '1900' || month > '9999') throw invalidField('month', years);
  const window = monthWindow(zone, month);
  const days = listDays(zone, window);
  const span = format.days(days[0]?.day ?? `${month}-01`, days.at(-1)?.day ?? `${month}-28`);
  const fileName = `bird_report_${month.replace('-', '')}.pdf`;
  return { window, zone, days, title: format.month(month), span, fileName };
}

function readTimes({ start_time, end_time }: PeriodQuery, zone: string, format: ReportFormat): ReportPeriod {
  const window = readWindow({ start_time, end_time }, zone, maxDays);
  const { start, end } = window;
  if (start < calendar.start || end > calendar.end) throw invalidField('start_time', years);
  const days = listDays(zone, window);
  const { day: first } = toLocalMoment(zone, start);
  const { day: last } = toLocalMoment(zone, end - 1);
  const title = format.days(first, last);
  const isWhole = start === days[0]?.start && end === days.at(-1)?.end;
  const times = [start, end].map((instant) => format.moment(toLocalMoment(zone, instant)));
  const span = isWhole ? title : times.join(' – ');
  const fileName = `bird_report_${compact(first)}-${compact(last)}.pdf`;
  return { window, zone, days, title, span, fileName };
}

/** Parses a calendar month, or the window between two times. @throws HubError invalid_request naming the parameter */
export function readPeriod(query: PeriodQuery, zone: string, format: ReportFormat): ReportPeriod {
  const { month, start_time, end_time } = query;
  const hasTimes = start_time !== undefined || end_time !== undefined;
  if (month === undefined && !hasTimes)
    throw invalidField('month', 'is required, unless start_time and end_time are set');
  if (month === undefined) return readTimes(query, zone, format);
  if (hasTimes) throw invalidField('month', 'must not be combined with start_time or end_time');
  return readMonth(month, zone, format);
}
