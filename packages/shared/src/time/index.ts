export {
  dayNumber,
  daysBefore,
  daysBetween,
  isDay,
  isMonth,
  nextDay,
  nextMonth,
  previousDay,
} from './calendar-day.js';
export { type Clock, fixedClock, type ManualClock, manualClock, systemClock } from './clock.js';
export { dayWindowAtOffset } from './fixed-offset-day.js';
export { formatInstant, parseInstant, parseQueryTime } from './instants.js';
export { localHourSql, readZoneClock, type ZoneClock } from './local-hour-sql.js';
export { localStamp } from './local-stamp.js';
export {
  type DayWindow,
  dayWindow,
  dayWindowAt,
  localDay,
  localHour,
  localMonth,
  monthWindow,
  startOfDay,
  type TimeWindow,
} from './zone.js';
export { firstInstantAt, hostTimeZone, isTimeZone, offsetMs } from './zone-offset.js';
