import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

/** Who found a detection, by picture or by sound. */
export const detectionSources = ['video', 'audio'] as const;

/** Parts of the day, as clients of the BirdLense family name them. */
const timesOfDay = ['morning', 'afternoon', 'evening', 'night'] as const;

/** The hours of the clock in each part of the day. */
export const hoursOf: Record<(typeof timesOfDay)[number], readonly number[]> = {
  morning: [5, 6, 7, 8, 9, 10, 11],
  afternoon: [12, 13, 14, 15, 16],
  evening: [17, 18, 19, 20, 21],
  night: [22, 23, 0, 1, 2, 3, 4],
};

const text = (description: string) => Type.Optional(Type.String({ description }));

/** A window of time as callers ask for it; `longest` says in words how long it may be. */
export const windowParameters = (longest = '31 days') => ({
  start_time: text('Start of the window: unix seconds UTC or RFC 3339; with `end_time`'),
  end_time: text(`End of the window, not itself in it; at most ${longest} after the start`),
  date: text('The window as one day of the hub, `YYYY-MM-DD`; instead of both times'),
});

/** The filters of the timeline as query parameters. */
export const filterParameters = {
  camera_id: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: '^[^\\u0000]*$',
      description: 'Visits with a recording of this camera',
    }),
  ),
  species_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'This very species, not its children' }),
  ),
  min_confidence: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Visits with a detection of at least this confidence, 0 to 1',
    }),
  ),
  source: Type.Optional(
    literals(detectionSources, { description: 'Visits with a detection by picture, or by sound' }),
  ),
  favorite: Type.Optional(
    Type.Boolean({ description: 'Visits with a favourite among their recordings, or without' }),
  ),
  favorite_only: Type.Optional(
    Type.Boolean({ description: 'Whether only favourites are wanted; `false` is no filter' }),
  ),
  hour: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 23,
      description: "Hour of the day at which it starts, in the hub's zone",
    }),
  ),
  time_of_day: Type.Optional(
    literals(timesOfDay, {
      description:
        "When it starts, in the hub's zone: `morning` 5:00 to 11:59, `afternoon` 12:00 to 16:59, `evening` 17:00 to " +
        '21:59, `night` 22:00 to 4:59',
    }),
  ),
  min_duration_sec: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 86_400 * 366,
      description: 'Shortest duration from its start to its end',
    }),
  ),
  detection_source: Type.Optional(literals(detectionSources, { description: 'The same as `source`' })),
  detection_provider: Type.Optional(
    Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$', description: 'Which detector found it' }),
  ),
  trigger_source: Type.Optional(
    Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$', description: 'What started the recording' }),
  ),
};

const FiltersSchema = Type.Object(filterParameters);

/** The filters that were asked for. */
export type TimelineFilters = Static<typeof FiltersSchema>;
