import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { descriptionLanguages } from '../species-knowledge/description-language.js';
import { TimelineItemSchema } from '../timeline/timeline.schema.js';
import { givenImageUrl, imageUrl, instant, orNull, speciesGroup, textOrNull } from '../wire.schema.js';

/** Query parameters of `GET /species`. */
export const SpeciesQuerySchema = Type.Object({
  scope: literals(['all', 'observed'], {
    default: 'all',
    description: '`observed`: only species with visits, as in `GET /api/ui/species/observed`',
  }),
});

/** A species of any rank with its number of visits. */
export const SpeciesSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the species' }),
    name: Type.String({ description: 'Name of the species' }),
    scientific_name: textOrNull('Scientific name of the species or family'),
    parent_id: orNull(Type.Integer(), 'Id of the parent: a species, family or root'),
    group: speciesGroup(),
    created_at: instant('When the species was added'),
    image_url: imageUrl('Picture of the species'),
    description: textOrNull('Description of the species'),
    active: Type.Boolean({ description: 'Whether processors detect the species' }),
    count: Type.Integer({
      description: 'Sum over all visits of the maximum number of birds at the same time',
    }),
    visits: Type.Integer({ description: 'Number of visits' }),
    heard_only: Type.Boolean({ description: 'Whether the species was only heard in all of its visits' }),
  },
  { $id: 'Species' },
);

const thumbhash = textOrNull(
  'Blurred placeholder of the picture (https://evanw.github.io/thumbhash/) in base64; null for pictures that ' +
    'are not crops of recordings, and until it has been computed',
);

/** A species with visits. */
export const ObservedSpeciesSchema = Type.Object(
  {
    ...SpeciesSchema.properties,
    first_visit_at: instant('Start of the first visit'),
    last_visit_at: instant('Start of the latest visit'),
    monthly_visits: Type.Array(Type.Integer(), {
      minItems: 12,
      maxItems: 12,
      description: 'Number of visits by month over all years, starting with January',
    }),
    thumbhash,
  },
  { $id: 'ObservedSpecies' },
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
  scientific_name: textOrNull('Scientific name of the species or family'),
  image_url: imageUrl('Picture of the species'),
};
const birds = Type.Integer({
  description:
    'Sum over the visits that started in this time of the maximum number of birds at the same time',
});

const visits = Type.Integer({ description: 'Number of visits that started in this time' });

const activity = {
  visits: Type.Object(
    { visits_24h: visits, visits_7d: visits, visits_30d: visits },
    { description: 'Number of visits in the last 24 hours, 7 days and 30 days' },
  ),
  hourlyVisits: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'Number of visits in the last 30 days by hour of the day, in the time zone of the hub',
  }),
  peak_count_30d: orNull(
    Type.Integer(),
    'Maximum number of birds at the same time in a visit of the last 30 days; 1 for visits that were ' +
      'only heard, null without visits',
  ),
  detections: Type.Object(
    { detections_24h: birds, detections_7d: birds, detections_30d: birds },
    { description: 'Number of birds in the last 24 hours, 7 days and 30 days' },
  ),
  hourlyActivity: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'Number of birds in the last 30 days by hour of the day, in the time zone of the hub',
  }),
};

const StatsSchema = Type.Object({
  ...activity,
  total_visits: Type.Integer({ description: 'Number of visits' }),
  heard_only: Type.Boolean({ description: 'Whether the species was only heard in all of its visits' }),
  timeRange: Type.Object(
    {
      first_sighting: orNull(
        instant('Start of the first visit'),
        'Start of the first visit; null without visits',
      ),
      last_sighting: orNull(instant('End of the last visit'), 'End of the last visit; null without visits'),
    },
    { description: 'From the first visit to the last' },
  ),
  weather: Type.Array(
    Type.Object({
      temp: Type.Integer({ description: 'Temperature in °C' }),
      clouds: Type.Integer({ description: 'Cloud cover in percent' }),
      count: Type.Integer({
        description: 'Sum over these visits of the maximum number of birds at the same time',
      }),
      visits: Type.Integer({ description: 'Number of visits in this weather' }),
    }),
    {
      description: `Weather at the first recording of the latest ${newestVisits} visits, most frequent first`,
    },
  ),
  food: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Name of the food' }),
      count: Type.Integer({ description: 'Number of visits' }),
    }),
    {
      maxItems: 5,
      description: `Foods that were offered most often at the latest ${newestVisits} visits`,
    },
  ),
});

/** The response of `GET /species/:id/summary`. */
export const SpeciesSummarySchema = Type.Object(
  {
    species: Type.Object(
      {
        ...pictured,
        thumbhash,
        description: textOrNull('Description of the species'),
        description_language: orNull(
          literals(descriptionLanguages),
          'Language of the description; null when a user wrote it or there is none',
        ),
        description_source: orNull(
          Type.Object({
            url: textOrNull('URL of the source page'),
            licence: textOrNull('Licence of the text'),
          }),
          'Source of the description; null when a user wrote it',
        ),
        active: Type.Boolean({ description: 'Whether processors detect the species' }),
        group: speciesGroup(),
        parent: orNull(Type.Object(relative), 'Parent species, family or root'),
      },
      { description: 'The requested species' },
    ),
    stats: Type.Object(StatsSchema.properties, {
      description: 'Statistics of the species and its descendants',
    }),
    subspecies: Type.Array(
      Type.Object({
        species: Type.Object(pictured, { description: 'The child species' }),
        stats: Type.Object(activity, { description: 'Statistics of the child and its descendants' }),
      }),
      {
        description: 'Children of the species, sorted by name, each with its descendants',
      },
    ),
    recentVisits: Type.Array(TimelineItemSchema, {
      maxItems: 10,
      description: 'Latest visits, newest first',
    }),
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
    name: optional(name('Display name; the previous name is kept as an alias')),
    scientific_name: optional(orNull(name('Scientific name'), 'Scientific name; null for none')),
    ebird_code: optional(
      orNull(
        Type.String({ pattern: '^[a-z0-9]{2,20}$' }),
        'Code at eBird, unique among species; null for none',
      ),
    ),
    parent_id: optional(
      orNull(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
        'Id of the parent: a species, family or root. Visits are updated',
      ),
    ),
    active: optional(Type.Boolean({ description: 'Whether processors detect the species' })),
    image_url: optional(
      givenImageUrl(
        'Picture: an http or https URL, or a path on this hub; null for the picture from Wikipedia',
      ),
    ),
    description: optional(
      orNull(
        Type.String({ maxLength: 10_000, pattern: storable }),
        'Description of the species; null for the description from Wikipedia',
      ),
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
      description: 'Id of the species to merge into',
    }),
  },
  { additionalProperties: false },
);

/** The response to a merge or its reversal. */
export const MergeResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    merge_id: Type.Integer({ description: 'Id of the merge, used to revert it' }),
    moved_detections: Type.Integer({
      description: 'Number of detections that were moved to another species',
    }),
  },
  { $id: 'MergeResult' },
);
