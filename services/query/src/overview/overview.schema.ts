import { windowParameters } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { noteworthyReasons } from '../highlights/noteworthy.js';
import { instant, mediaKindOrNull, numberOrNull, orNull } from '../wire.schema.js';

/** Query parameters of `GET /overview`. */
export const OverviewQuerySchema = Type.Object(windowParameters());

const TopSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  detections: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'Number of visits that started in each hour of the day, in the time zone of the hub',
  }),
});

const OverviewStatsSchema = Type.Object({
  uniqueSpecies: Type.Integer({ description: 'Number of species with visits' }),
  totalDetections: Type.Integer({ description: 'Number of visits' }),
  lastHourDetections: Type.Integer({
    description: 'Number of visits that started less than an hour ago, accurate to the minute',
  }),
  busiestHour: orNull(
    Type.Integer(),
    'Hour of the day in which most visits started, in the time zone of the hub; null without visits',
  ),
  avgVisitDuration: Type.Number({ description: 'Average duration of a visit in seconds; 0 without visits' }),
  videoDuration: Type.Number({ description: 'Total duration of all detections by picture in seconds' }),
  audioDuration: Type.Number({ description: 'Total duration of all detections by sound in seconds' }),
  detectionByProvider: Type.Record(Type.String(), Type.Integer(), {
    description: 'Number of detections by detector; `legacy` for detections without a detector',
  }),
});

/** The part of the overview that is derived from visits. */
const VisitsOverviewSchema = Type.Object({
  topSpecies: Type.Array(TopSpeciesSchema, {
    maxItems: 10,
    description: 'Species with the most visits, most visits first, then by name',
  }),
  stats: Type.Object(OverviewStatsSchema.properties, { description: 'Statistics of the window' }),
  lastDetection: orNull(
    Type.Object({
      species_name: Type.String({ description: 'Name of the species' }),
      start_time: instant('Start of the detection'),
      media_kind: mediaKindOrNull(),
    }),
    'Last detection of the visits in the window; null without visits',
  ),
  noteworthy: Type.Array(
    Type.Object({
      species_id: Type.Integer({ description: 'Id of the species' }),
      reason: literals(noteworthyReasons, {
        description:
          '`first_ever`: no visit before the window; `new_this_year`: no earlier visit in the same year; ' +
          '`rare`: one of the rarest species of the hub',
      }),
    }),
    {
      description:
        'Noteworthy species of the window; empty when the window starts less than two weeks after ' +
        'the first visit at the hub',
    },
  ),
  first_visit_date: orNull(
    Type.String({ format: 'date' }),
    'Day of the first visit at the hub, in its time zone; null without visits',
  ),
});

/** The shape of {@link VisitsOverviewSchema}. */
export type VisitsOverview = Static<typeof VisitsOverviewSchema>;

/** The response of `GET /overview`. */
export const OverviewSchema = Type.Object(
  {
    ...VisitsOverviewSchema.properties,
    hourlyTemperature: Type.Array(numberOrNull('Temperature in °C'), {
      minItems: 24,
      maxItems: 24,
      description: 'Mean temperature in each hour of the day, in the time zone of the hub',
    }),
    observer_timezone: Type.String({ description: 'Time zone of the hub, an IANA name' }),
  },
  { $id: 'Overview' },
);
