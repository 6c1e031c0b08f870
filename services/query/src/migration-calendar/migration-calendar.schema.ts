import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { imageUrl, text } from '../wire.schema.js';

/** The selectable lists of species, with all aliases that clients use. */
const catalogs = ['active', 'observed', 'dataset', 'full', 'all', 'full_eu'] as const;
/** Which visits count: all, or only those with video. */
const evidences = ['all', 'video'] as const;
/** The unit of the counts: visits, or the sum of their maximum numbers of simultaneous birds. */
const metrics = ['visits', 'individuals'] as const;

const year = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 9_999, description }));

/** Query parameters of `GET /migration-calendar`. */
export const CalendarQuerySchema = Type.Object({
  catalog: literals(catalogs, {
    default: 'active',
    description:
      '`active`: active species with visits, or all species with visits while none is active; `observed`: ' +
      'all species with visits; `dataset`: all active species, including those without visits; `full`, ' +
      '`all`, `full_eu`: the whole catalogue',
  }),
  evidence: literals(evidences, {
    default: 'all',
    description: '`all`: all visits; `video`: only visits with a detection by picture',
  }),
  metric: literals(metrics, {
    default: 'visits',
    description:
      '`visits`: number of visits; `individuals`: sum of the maximum number of birds at ' +
      'the same time in each visit',
  }),
  start_year: year('First year to include'),
  end_year: year('Last year to include'),
  start_date: Type.Optional(text('First day to include, `YYYY-MM-DD`')),
  end_date: Type.Optional(text('Last day to include, `YYYY-MM-DD`')),
});

/** The shape of {@link CalendarQuerySchema}. */
export type CalendarQuery = Static<typeof CalendarQuerySchema>;

/** The labels of the months. */
export const monthLabels = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
  ...['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
] as const;

const CalendarSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  image_url: imageUrl(),
  monthly_counts: Type.Array(Type.Integer(), {
    minItems: 12,
    maxItems: 12,
    description: 'Counts by the month in which the visits started, over all years',
  }),
  total: Type.Integer({ description: 'Sum of the monthly counts' }),
});

/** The response of `GET /migration-calendar`. */
export const CalendarSchema = Type.Object(
  {
    species: Type.Array(CalendarSpeciesSchema, { description: 'Species, highest total first, then by name' }),
    month_labels: Type.Array(literals(monthLabels), {
      description: 'Names of the months, in the order of the counts',
    }),
    metric: literals(metrics, { description: 'Metric of the counts' }),
  },
  { $id: 'MigrationCalendar' },
);
