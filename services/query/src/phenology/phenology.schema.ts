import { type Static, Type } from 'typebox';
import { imageUrl, orNull, text, textOrNull } from '../wire.schema.js';

/** Query parameters of `GET /phenology`. */
export const PhenologyQuerySchema = Type.Object({
  year: Type.Integer({ minimum: 1, maximum: 9_999, description: "Year of the hub's zone" }),
});

/** Maximum number of days of `GET /phenology/days`. */
export const maxListedDays = 92;

/** Query parameters of `GET /phenology/days`. */
export const SpeciesDaysQuerySchema = Type.Object({
  start_date: text('First day, `YYYY-MM-DD`'),
  end_date: text(`Last day; at most ${maxListedDays} days, the first included`),
});

/** The shape of {@link SpeciesDaysQuerySchema}. */
export type SpeciesDaysQuery = Static<typeof SpeciesDaysQuerySchema>;

const date = (description: string) => Type.String({ format: 'date', description });

const StaySchema = Type.Object({
  start_date: date('First day with a visit'),
  end_date: date('Last day with a visit'),
  arrives: Type.Boolean({
    description: 'Whether it was away for six weeks before, while the hub recorded visits',
  }),
  departs: Type.Boolean({
    description: 'Whether it was away for six weeks afterwards, while the hub recorded visits',
  }),
});

const PeakSchema = Type.Object({
  start_date: date('First of the seven days'),
  end_date: date('Last of the seven days'),
  visits: Type.Integer({ description: 'Visits of these days' }),
});

const PhenologySpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  scientific_name: textOrNull('Binomial'),
  image_url: imageUrl(),
  visits: Type.Integer({ description: 'Visits of the year' }),
  days: Type.Integer({ description: 'Days of the year with a visit' }),
  first_date: date('First day of the year with a visit'),
  last_date: date('Last day of the year with a visit'),
  is_first_ever: Type.Boolean({ description: 'Whether it had no visit in any year before' }),
  stays: Type.Array(StaySchema, {
    description: 'Stretches of presence without six weeks of absence, cut off at New Year',
  }),
  peak: orNull(PeakSchema, 'The seven days with most visits; the first of equals'),
  weeks: Type.Array(Type.Integer(), {
    minItems: 53,
    maxItems: 53,
    description: 'Visits of each seven days from 1 January; the last has one or two days',
  }),
});

/** The response of `GET /phenology`. */
export const PhenologySchema = Type.Object(
  {
    year: Type.Integer({ description: 'The year' }),
    species: Type.Array(PhenologySpeciesSchema, { description: 'By first day of the year, then by name' }),
    accumulation: Type.Array(
      Type.Object({
        date: date('A day that brought species that were new in the year'),
        species: Type.Integer({ description: 'Species of the year up to and with this day' }),
      }),
      { description: 'How the list of the year grew, in order' },
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
        scientific_name: textOrNull('Binomial'),
        image_url: imageUrl(),
        visits: Type.Integer({ description: 'Visits of these days' }),
        days: Type.Array(Type.Integer(), { description: 'Visits of each day, in order' }),
      }),
      { description: 'Species with visits; most visits first, then by name' },
    ),
  },
  { $id: 'SpeciesDays' },
);

/** The shape of {@link SpeciesDaysSchema}. */
export type SpeciesDays = Static<typeof SpeciesDaysSchema>;
