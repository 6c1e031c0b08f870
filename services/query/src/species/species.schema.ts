import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { descriptionLanguages } from '../species-knowledge/description-language.js';
import { TimelineItemSchema } from '../timeline/timeline.schema.js';
import { givenImageUrl, imageUrl, instant, orNull, speciesGroup, textOrNull } from '../wire.schema.js';

/** Query parameters of `GET /species`. */
export const SpeciesQuerySchema = Type.Object({
  scope: literals(['all', 'observed'], {
    default: 'all',
    description: '`observed`: only those that had visits, as `GET /species/observed`',
  }),
});

/** A species of any rank with its number of visits. */
export const SpeciesSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the species' }),
    name: Type.String({ description: 'Name of the species' }),
    scientific_name: textOrNull('Binomial, or the name of the family'),
    parent_id: orNull(Type.Integer(), 'The species, family or root above it'),
    group: speciesGroup(),
    created_at: instant('When it was added'),
    image_url: imageUrl('A picture of it'),
    description: textOrNull('Notes about it'),
    active: Type.Boolean({ description: 'Whether processors detect it' }),
    count: Type.Integer({ description: 'Sum of the maximum number of birds at once of each of its visits' }),
    visits: Type.Integer({ description: 'Number of its visits' }),
    heard_only: Type.Boolean({ description: 'Whether all of its visits are audio-only' }),
  },
  { $id: 'Species' },
);

/** The shape of {@link SpeciesSchema}. */
export type Species = Static<typeof SpeciesSchema>;

/** A family of birds. */
export const BirdFamilySchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the family, which is a species of a higher rank' }),
    name: Type.String({ description: 'Name of the family' }),
  },
  { $id: 'BirdFamily' },
);

/** Weather and food are aggregated over this many newest visits, so that the cost does not grow with the history. */
export const newestVisits = 300;

const relative = {
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
};
const pictured = {
  ...relative,
  scientific_name: textOrNull('Binomial, or the name of the family'),
  image_url: imageUrl('A picture of it'),
};
const birds = Type.Integer({
  description: 'Sum of the maximum number of birds at once of each visit that began in it',
});

const visits = Type.Integer({ description: 'Visits that began in it' });

const activity = {
  visits: Type.Object(
    { visits_24h: visits, visits_7d: visits, visits_30d: visits },
    { description: 'Visits of the last 24 hours, 7 days and 30 days' },
  ),
  hourlyVisits: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'Visits of the last 30 days, by hour of the clock on the wall',
  }),
  peak_count_30d: orNull(
    Type.Integer(),
    'Maximum number of birds at once in a visit of the last 30 days; 1 of audio-only visits, null without visits',
  ),
  detections: Type.Object(
    { detections_24h: birds, detections_7d: birds, detections_30d: birds },
    { description: 'Birds of the last 24 hours, 7 days and 30 days' },
  ),
  hourlyActivity: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'The same of the last 30 days, by hour of the clock on the wall',
  }),
};

const StatsSchema = Type.Object({
  ...activity,
  total_visits: Type.Integer({ description: 'Number of its visits' }),
  heard_only: Type.Boolean({ description: 'Whether all of its visits are audio-only' }),
  timeRange: Type.Object(
    {
      first_sighting: orNull(instant('Start of the first visit'), 'Null without visits'),
      last_sighting: orNull(instant('End of the last visit'), 'Null without visits'),
    },
    { description: 'From the first visit to the last' },
  ),
  weather: Type.Array(
    Type.Object({
      temp: Type.Integer({ description: '°C' }),
      clouds: Type.Integer({ description: '%' }),
      count: Type.Integer({ description: 'Sum of the maximum number of birds at once of each visit' }),
      visits: Type.Integer({ description: 'Visits in this weather' }),
    }),
    { description: `At the first recordings of the newest ${newestVisits} visits, the most frequent first` },
  ),
  food: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the food' }),
      count: Type.Integer({ description: 'Visits' }),
    }),
    {
      maxItems: 5,
      description: `What was offered at most of the newest ${newestVisits} visits`,
    },
  ),
});

/** The response of `GET /species/:id/summary`. */
export const SpeciesSummarySchema = Type.Object(
  {
    species: Type.Object(
      {
        ...pictured,
        description: textOrNull('Notes about it'),
        description_language: orNull(
          literals(descriptionLanguages),
          'What the description is written in, null when a person wrote it or there is none',
        ),
        description_source: orNull(
          Type.Object({ url: textOrNull('The page it is from'), licence: textOrNull('Of its words') }),
          'Where the description is from, null when a person wrote it',
        ),
        active: Type.Boolean({ description: 'Whether processors detect it' }),
        group: speciesGroup(),
        parent: orNull(Type.Object(relative), 'The species, family or root above it'),
      },
      { description: 'The species itself' },
    ),
    stats: Type.Object(StatsSchema.properties, { description: 'Of the species and all below it' }),
    subspecies: Type.Array(
      Type.Object({
        species: Type.Object(pictured, { description: 'The child' }),
        stats: Type.Object(activity, { description: 'Of the child and all below it' }),
      }),
      {
        description: 'Its children by name, each with all below it',
      },
    ),
    recentVisits: Type.Array(TimelineItemSchema, { maxItems: 10, description: 'Newest first' }),
  },
  { $id: 'SpeciesSummary' },
);

const optional = Type.Optional;
const storable = '^[^\\u0000\\p{Cs}]*$';

/** Schema of a non-blank plain text; the lookahead avoids quadratic backtracking. */
const name = (description: string) =>
  Type.String({
    maxLength: 200,
    pattern: '^(?=.*[^\\s\\p{Cc}\\p{Cf}\\p{Cs}])[^\\p{Cc}\\p{Cs}]*$',
    description,
  });

/** The editable fields of a species. */
export const SpeciesPatchSchema = Type.Object(
  {
    name: optional(name('Shown name; the old one stays an alias')),
    scientific_name: optional(orNull(name('Binomial'), 'Binomial, null for none')),
    ebird_code: optional(
      orNull(
        Type.String({ pattern: '^[a-z0-9]{2,20}$' }),
        'Code at eBird, which one species has; null for none',
      ),
    ),
    parent_id: optional(
      orNull(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
        'Species, family or root above it; visits follow',
      ),
    ),
    active: optional(Type.Boolean({ description: 'Whether processors detect it' })),
    image_url: optional(
      givenImageUrl('Picture, http, https or a path of this hub; null for the one of the encyclopedia'),
    ),
    description: optional(
      orNull(Type.String({ maxLength: 10_000, pattern: storable }), 'Null for the one of the encyclopedia'),
    ),
  },
  { additionalProperties: false, $id: 'SpeciesPatch' },
);

/** The shape of {@link SpeciesPatchSchema}. */
export type SpeciesPatchBody = Static<typeof SpeciesPatchSchema>;

/** The target of a merge. */
export const MergeBodySchema = Type.Object(
  {
    into_species_id: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The species to merge into',
    }),
  },
  { additionalProperties: false },
);

/** The response to a merge or its reversal. */
export const MergeResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    merge_id: Type.Integer({ description: 'By which the merge is taken back' }),
    moved_detections: Type.Integer({ description: 'Detections that have another species now' }),
  },
  { $id: 'MergeAnswer' },
);
