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
export { formatInstant, parseInstant, parseQueryTime } from './instants.js';
export {
  type DayWindow,
  dayWindow,
  dayWindowAt,
  dayWindowAtOffset,
  localDay,
  localHour,
  localHourSql,
  localMonth,
  localStamp,
  monthWindow,
  readZoneClock,
  startOfDay,
  type TimeWindow,
  type ZoneClock,
} from './zone.js';
export { firstInstantAt, hostTimeZone, isTimeZone, offsetMs } from './zone-offset.js';
