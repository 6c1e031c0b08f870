import { type Static, Type } from 'typebox';
import { imageUrl, text, textOrNull } from '../wire.schema.js';

/** Longest period that is compared, in days. */
export const maxComparedDays = 366;

/** What `GET /comparison` takes. */
export const ComparisonQuerySchema = Type.Object({
  start_date: text('First day of the period, `YYYY-MM-DD`'),
  end_date: text(`Last day of the period; at most ${maxComparedDays} days`),
  other_start_date: text('First day of the period that it is compared with, `YYYY-MM-DD`'),
  other_end_date: text(`Last day of that period; at most ${maxComparedDays} days`),
});

/** The shape of {@link ComparisonQuerySchema}. */
export type ComparisonQuery = Static<typeof ComparisonQuerySchema>;

const hours = (description: string) =>
  Type.Array(Type.Integer(), { minItems: 24, maxItems: 24, description });
const ofBoth = <T extends Parameters<typeof Type.Array>[0]>(schema: T, description: string) =>
  Type.Array(schema, { minItems: 2, maxItems: 2, description });

const ComparedPeriodSchema = Type.Object({
  start_date: Type.String({ description: 'First day' }),
  end_date: Type.String({ description: 'Last day' }),
  visits: Type.Integer({ description: 'Visits that start in it' }),
  species: Type.Integer({ description: 'Species with visits' }),
  days: Type.Array(Type.Integer(), { description: 'Visits of each day, in order' }),
  hours: hours('Visits that started in each hour of the clock on the wall'),
});

const ComparedSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  scientific_name: textOrNull('Binomial'),
  image_url: imageUrl(),
  visits: ofBoth(Type.Integer(), 'Visits in the period, and in the one it is compared with'),
  hours: ofBoth(hours('Visits that started in each hour'), 'The same by hour of the clock on the wall'),
});

/** The response of `GET /comparison`. */
export const ComparisonSchema = Type.Object(
  {
    periods: ofBoth(ComparedPeriodSchema, 'The period, and the one it is compared with'),
    species: Type.Array(ComparedSpeciesSchema, {
      description: 'Species with visits in one of them; most visits of both together first, then by name',
    }),
  },
  { $id: 'Comparison' },
);

/** The shape of {@link ComparisonSchema}. */
export type Comparison = Static<typeof ComparisonSchema>;
