import { filterParameters, windowParameters } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { instant } from '../wire.schema.js';

const steps = ['day', 'month'] as const;

/** The length of a bucket. */
export type BucketStep = (typeof steps)[number];

/** Maximum window, in days. */
export const maxBucketDays: Readonly<Record<BucketStep, number>> = { day: 7_320, month: 36_600 };

const { start_time, end_time } = windowParameters(
  `${maxBucketDays.day} days by day or ${maxBucketDays.month} days by month`,
);

/** Query parameters of `GET /timeline/buckets`. */
export const BucketsQuerySchema = Type.Object({
  start_time,
  end_time,
  by: literals(steps, {
    default: 'day',
    description: 'Whether to count by day or by month, in the time zone of the hub',
  }),
  ...filterParameters,
});

/** The shape of {@link BucketsQuerySchema}. */
export type BucketsQuery = Static<typeof BucketsQuerySchema>;

/** The visits of a day or a month. */
export const TimelineBucketSchema = Type.Object(
  {
    start: instant(
      'Start of the day or month in the time zone of the hub; may be before the start of the window',
    ),
    visits: Type.Integer({
      description: 'Number of visits that start in the day or month, within the window',
    }),
    species: Type.Integer({
      description: 'Number of species of these visits, without generic species and other animals',
    }),
  },
  { $id: 'TimelineBucket' },
);

/** The shape of {@link TimelineBucketSchema}. */
export type TimelineBucket = Static<typeof TimelineBucketSchema>;
