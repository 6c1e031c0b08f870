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
    description: 'Visits that began in each hour of the clock on the wall',
  }),
});

const OverviewStatsSchema = Type.Object({
  uniqueSpecies: Type.Integer({ description: 'Species with visits' }),
  totalDetections: Type.Integer({ description: 'Visits' }),
  lastHourDetections: Type.Integer({
    description: 'Visits that began less than an hour ago, to the minute',
  }),
  busiestHour: orNull(
    Type.Integer(),
    'Hour of the clock on the wall in which most visits began; null without any',
  ),
  avgVisitDuration: Type.Number({ description: 'Seconds; 0 without visits' }),
  videoDuration: Type.Number({ description: 'Seconds of all detections by picture together' }),
  audioDuration: Type.Number({ description: 'Seconds of all detections by sound together' }),
  detectionByProvider: Type.Record(Type.String(), Type.Integer(), {
    description: 'Detections by the detector that found them; `legacy` of those that do not say',
  }),
});

/** The part of the overview that is derived from visits. */
const VisitsOverviewSchema = Type.Object({
  topSpecies: Type.Array(TopSpeciesSchema, {
    maxItems: 10,
    description: 'Most visits first, then by name',
  }),
  stats: Type.Object(OverviewStatsSchema.properties, { description: 'Figures of the window' }),
  lastDetection: orNull(
    Type.Object({
      species_name: Type.String({ description: 'Name of the species' }),
      start_time: instant('When it was first seen or heard'),
      media_kind: mediaKindOrNull(),
    }),
    'Of the visits of the window',
  ),
  noteworthy: Type.Array(
    Type.Object({
      species_id: Type.Integer({ description: 'Id of the species' }),
      reason: literals(noteworthyReasons, {
        description: 'Never here before the window, not in its year, or one of the rarest here',
      }),
    }),
    {
      description:
        'Species of the window worth a badge; none while the hub has watched for less than two weeks',
    },
  ),
});

/** The shape of {@link VisitsOverviewSchema}. */
export type VisitsOverview = Static<typeof VisitsOverviewSchema>;

/** The response of `GET /overview`. */
export const OverviewSchema = Type.Object(
  {
    ...VisitsOverviewSchema.properties,
    hourlyTemperature: Type.Array(numberOrNull('°C'), {
      minItems: 24,
      maxItems: 24,
      description: 'Mean of each hour of the clock on the wall',
    }),
    observer_timezone: Type.String({ description: "The hub's zone, an IANA name" }),
  },
  { $id: 'Overview' },
);
