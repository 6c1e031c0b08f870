import { type Static, Type } from 'typebox';
import { imageUrl, orNull, text, textOrNull } from '../wire.schema.js';

/** Query parameters of `GET /phenology`. */
export const PhenologyQuerySchema = Type.Object({
  year: Type.Integer({
    minimum: 1,
    maximum: 9_999,
    description: 'Calendar year in the time zone of the hub',
  }),
});

/** Maximum number of days of `GET /phenology/days`. */
export const maxListedDays = 92;

/** Query parameters of `GET /phenology/days`. */
export const SpeciesDaysQuerySchema = Type.Object({
  start_date: text('First day, `YYYY-MM-DD`'),
  end_date: text(`Last day (inclusive), at most ${maxListedDays} days including the first`),
});

/** The shape of {@link SpeciesDaysQuerySchema}. */
export type SpeciesDaysQuery = Static<typeof SpeciesDaysQuerySchema>;

const date = (description: string) => Type.String({ format: 'date', description });

const StaySchema = Type.Object({
  start_date: date('First day with a visit'),
  end_date: date('Last day with a visit'),
  arrives: Type.Boolean({
    description: 'Whether the species was absent for six weeks before, while the hub recorded visits',
  }),
  departs: Type.Boolean({
    description: 'Whether the species was absent for six weeks afterwards, while the hub recorded visits',
  }),
});

const PeakSchema = Type.Object({
  start_date: date('First day of the seven days'),
  end_date: date('Last day of the seven days'),
  visits: Type.Integer({ description: 'Number of visits on these days' }),
});

const PhenologySpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  scientific_name: textOrNull('Scientific name'),
  image_url: imageUrl(),
  visits: Type.Integer({ description: 'Number of visits in the year' }),
  days: Type.Integer({ description: 'Number of days of the year with a visit' }),
  first_date: date('First day of the year with a visit'),
  last_date: date('Last day of the year with a visit'),
  is_first_ever: Type.Boolean({ description: 'Whether the species had no visit in earlier years' }),
  stays: Type.Array(StaySchema, {
    description: 'Periods of presence without six weeks of absence, limited to the year',
  }),
  peak: orNull(PeakSchema, 'The seven days with the most visits; the earliest ones if there are several'),
  weeks: Type.Array(Type.Integer(), {
    minItems: 53,
    maxItems: 53,
    description:
      'Number of visits in each period of seven days from 1 January; the last period has one or two days',
  }),
});

/** The response of `GET /phenology`. */
export const PhenologySchema = Type.Object(
  {
    year: Type.Integer({ description: 'The year' }),
    species: Type.Array(PhenologySpeciesSchema, {
      description: 'Species, sorted by first day of the year, then by name',
    }),
    accumulation: Type.Array(
      Type.Object({
        date: date('Day with species that were new in the year'),
        species: Type.Integer({ description: 'Number of species in the year up to and including this day' }),
      }),
      { description: 'Growth of the species list over the year, in chronological order' },
    ),
  },
  { $id: 'Phenology' },
);

/** The shape of {@link PhenologySchema}. */
export type Phenology = Static<typeof PhenologySchema>;

/** The response of `GET /phenology/days`. */
export const SpeciesDaysSchema = Type.Object(
  {
    start_date: date('The first day'),
    end_date: date('The last day'),
    species: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Id of the species' }),
        name: Type.String({ description: 'Name of the species' }),
        scientific_name: textOrNull('Scientific name'),
        image_url: imageUrl(),
        visits: Type.Integer({ description: 'Number of visits on these days' }),
        days: Type.Array(Type.Integer(), { description: 'Number of visits on each day, in order' }),
      }),
      { description: 'Species with visits, most visits first, then by name' },
    ),
  },
  { $id: 'SpeciesDays' },
);

/** The shape of {@link SpeciesDaysSchema}. */
export type SpeciesDays = Static<typeof SpeciesDaysSchema>;
