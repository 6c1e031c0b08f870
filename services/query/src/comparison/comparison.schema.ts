import { type Static, Type } from 'typebox';
import { imageUrl, text, textOrNull } from '../wire.schema.js';

/** Maximum length of a compared period, in days. */
export const maxComparedDays = 366;

/** Query parameters of `GET /comparison`. */
export const ComparisonQuerySchema = Type.Object({
  start_date: text('First day of the period, `YYYY-MM-DD`'),
  end_date: text(`Last day of the period (inclusive), at most ${maxComparedDays} days`),
  other_start_date: text('First day of the other period, `YYYY-MM-DD`'),
  other_end_date: text(`Last day of the other period (inclusive), at most ${maxComparedDays} days`),
  species_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only this species and its descendants, also generic species and other animals',
    }),
  ),
});

/** The shape of {@link ComparisonQuerySchema}. */
export type ComparisonQuery = Static<typeof ComparisonQuerySchema>;

const hours = (description: string) =>
  Type.Array(Type.Integer(), { minItems: 24, maxItems: 24, description });
const pairOf = <T extends Parameters<typeof Type.Array>[0]>(schema: T, description: string) =>
  Type.Array(schema, { minItems: 2, maxItems: 2, description });

const ComparedPeriodSchema = Type.Object({
  start_date: Type.String({ description: 'First day' }),
  end_date: Type.String({ description: 'Last day' }),
  visits: Type.Integer({ description: 'Number of visits that start in the period' }),
  species: Type.Integer({ description: 'Number of species with visits, without generic ones' }),
  days: Type.Array(Type.Integer(), { description: 'Number of visits on each day, in order' }),
  hours: hours('Number of visits that started in each hour of the day, in the time zone of the hub'),
});

const ComparedSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  scientific_name: textOrNull('Scientific name'),
  image_url: imageUrl(),
  visits: pairOf(Type.Integer(), 'Number of visits in the period, and in the other period'),
  hours: pairOf(
    hours('Number of visits that started in each hour of the day'),
    'Number of visits by hour of the day in the time zone of the hub, in the ' +
      'period and in the other period',
  ),
});

/** The response of `GET /comparison`. */
export const ComparisonSchema = Type.Object(
  {
    periods: pairOf(ComparedPeriodSchema, 'The period, and the other period'),
    species: Type.Array(ComparedSpeciesSchema, {
      description:
        'Species with visits in at least one of the periods, most visits in both periods ' +
        'together first, then by name',
    }),
  },
  { $id: 'Comparison' },
);

/** The shape of {@link ComparisonSchema}. */
export type Comparison = Static<typeof ComparisonSchema>;
