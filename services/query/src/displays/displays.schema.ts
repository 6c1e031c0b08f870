import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { text } from '../wire.schema.js';

/** Names, types and formats follow BirdNET-Go's API v2, so that displays made for it can use this hub. */

const count = (description: string) => Type.Integer({ description });
const share = (description: string) => Type.Number({ description: `${description}, 0 to 1` });
const maxNameLength = 200;
const name = (description: string) =>
  Type.Optional(Type.String({ maxLength: maxNameLength, pattern: '^[^\\u0000]*$', description }));
const day = (description: string) => Type.Optional(text(`${description}, \`YYYY-MM-DD\``));
const speciesLimit = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Maximum number of species; 0, the default, for all',
  }),
);
const limit = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));
const species = name('Only this species: its scientific or common name, or its eBird code');

/** Maximum visits of a page. */
const maxResults = 1_000;

/** Query parameters of `GET /api/v2/detections`. */
export const DisplayVisitsQuerySchema = Type.Object({
  queryType: Type.Optional(
    Type.String({
      maxLength: 32,
      description:
        'Kind of the query: `all`, `hourly`, `species` or `search`. All other parameters apply regardless of ' +
        'it; `hourly` requires `hour`',
    }),
  ),
  date: day('A single day, which cannot be combined with `start_date` or `end_date`'),
  start_date: day('First day of the range'),
  end_date: day('Last day of the range (inclusive)'),
  hour: Type.Optional(
    Type.String({
      pattern: '^(?:[01]?[0-9]|2[0-3])(?:-(?:[01]?[0-9]|2[0-3]))?$',
      description: 'First hour of the range on `date`, 0 to 23, or its first and last hour: `6-9`',
    }),
  ),
  duration: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 24,
      description: 'Number of hours, with a single `hour`; defaults to 1',
    }),
  ),
  species,
  search: name('Part of a scientific or common name'),
  numResults: limit(maxResults, 'Maximum number of visits per page; defaults to 100'),
  limit: limit(maxResults, 'Same as `numResults`'),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Number of visits to skip before the page' }),
  ),
  sortBy: Type.Optional(
    literals(['date_desc', 'date_asc'], {
      description: '`date_desc`: newest first, the default; `date_asc`: oldest first',
    }),
  ),
});

/** The shape of {@link DisplayVisitsQuerySchema}. */
export type DisplayVisitsQuery = Static<typeof DisplayVisitsQuerySchema>;

/** A visit in the form of a detection of BirdNET-Go. */
export const DisplayVisitSchema = Type.Object(
  {
    id: count('Id of the visit'),
    date: text('Start day in the time zone of the hub, `YYYY-MM-DD`'),
    time: text('Start time in the time zone of the hub, `HH:MM:SS`'),
    timestamp: text('Start with the offset of the time zone, RFC 3339, in whole seconds'),
    source: Type.Optional(
      Type.Object(
        {
          id: text('Id of the camera'),
          type: literals(['camera', 'microphone'], {
            description: '`camera` when the bird was seen, `microphone` when it was only heard',
          }),
          displayName: text('Name of the camera, or else its id'),
        },
        { description: 'Source of the recording; omitted when the recording names no camera' },
      ),
    ),
    beginTime: text('Start with the offset of the time zone, RFC 3339, in whole seconds'),
    endTime: text('End with the offset of the time zone, RFC 3339, in whole seconds'),
    speciesCode: text('Code at eBird; empty when there is none'),
    scientificName: text('Scientific name of the species'),
    commonName: text('Common name of the species in the language of the hub'),
    confidence: share('Highest confidence of the detections of the visit'),
    clipName: Type.Optional(text('Name of the clip; omitted when there is no clip')),
    modelType: literals(['bird'], { description: 'Always `bird`, as only birds are listed' }),
    verified: literals(['correct', 'unverified'], {
      description: '`correct` when a user has reviewed the visit, else `unverified`',
    }),
    locked: Type.Boolean({ description: 'Whether the recording is a favourite, which is never purged' }),
  },
  { $id: 'DisplayVisit' },
);

/** The shape of {@link DisplayVisitSchema}. */
export type DisplayVisit = Static<typeof DisplayVisitSchema>;

/** A page of visits. */
export const DisplayVisitPageSchema = Type.Object({
  data: Type.Array(DisplayVisitSchema, { description: 'Visits of the page' }),
  total: count('Total number of visits on all pages'),
  limit: count('Maximum number of visits per page'),
  offset: count('Number of visits before this page'),
  current_page: count('Number of this page, starting at 1'),
  total_pages: count('Number of pages'),
});

/** The shape of {@link DisplayVisitPageSchema}. */
export type DisplayVisitPage = Static<typeof DisplayVisitPageSchema>;

/** Query parameters of `GET /api/v2/detections/recent`. */
export const DisplayRecentQuerySchema = Type.Object({
  limit: limit(maxResults, 'Maximum number of visits; defaults to 10'),
});

/** Query parameters of `GET /api/v2/analytics/species/summary`. */
export const DisplaySummaryQuerySchema = Type.Object({
  start_date: day('First day'),
  end_date: day('Last day'),
  limit: speciesLimit,
});

/** A species in a span of days. */
export const DisplaySummarySchema = Type.Object({
  scientific_name: text('Scientific name'),
  common_name: text('Common name in the language of the hub'),
  species_code: Type.Optional(text('Code at eBird')),
  count: count('Number of visits of the species'),
  first_heard: text('Start of the first visit with the offset of the time zone, RFC 3339'),
  last_heard: text('Start of the last visit with the offset of the time zone, RFC 3339'),
  avg_confidence: share('Mean confidence of the latest 20 visits'),
  max_confidence: share('Highest confidence of the latest 20 visits'),
  thumbnail_url: Type.Optional(text('Path of the picture of the species; omitted when there is none')),
});

/** Query parameters of `GET /api/v2/analytics/species/daily`. */
export const DisplayDayQuerySchema = Type.Object({
  date: day('The day, by default today'),
  min_confidence: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Minimum confidence of a visit, in percent' }),
  ),
  limit: speciesLimit,
});

/** A species on one day. */
export const DisplayDaySchema = Type.Object({
  scientific_name: text('Scientific name'),
  common_name: text('Common name in the language of the hub'),
  species_code: Type.Optional(text('Code at eBird')),
  count: count('Number of visits on the day'),
  hourly_counts: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'Number of visits by the hour in which they started',
  }),
  high_confidence: Type.Boolean({ description: 'Whether the highest confidence is 0.8 or more' }),
  max_confidence: share('Highest confidence of the day'),
  first_heard: text('Start of the first visit, `HH:MM:SS` in the time zone of the hub'),
  latest_heard: text('Start of the last visit, `HH:MM:SS` in the time zone of the hub'),
  thumbnail_url: Type.Optional(text('Path of the picture of the species; omitted when there is none')),
  is_new_species: Type.Boolean({
    description: 'Whether the first visit of the species was within the last 14 days',
  }),
  days_since_first_seen: count('Number of days since the first visit of the species'),
});

/** Query parameters of routes that require a first day. */
export const DisplayDaysQuerySchema = Type.Object({
  start_date: text('First day, `YYYY-MM-DD`'),
  end_date: day('Last day (inclusive), by default 30 days after the first'),
});

/** Query parameters of `GET /api/v2/analytics/time/daily`. */
export const DisplayDailyQuerySchema = Type.Object({ ...DisplayDaysQuerySchema.properties, species });

const span = {
  start_date: text('First day'),
  end_date: text('Last day'),
};

/** Visits by day. */
export const DisplayDailySchema = Type.Object({
  ...span,
  species: Type.Optional(text('The requested species')),
  data: Type.Array(Type.Object({ date: text('The day'), count: count('Number of visits on the day') }), {
    description: 'Days with visits, oldest first',
  }),
  total: count('Number of visits on all days'),
});

/** Species by day. */
export const DisplayDiversitySchema = Type.Object({
  ...span,
  data: Type.Array(
    Type.Object({ date: text('The day'), unique_species: count('Number of species on the day') }),
    {
      description: 'Days with visits, oldest first',
    },
  ),
  max_diversity: count('Maximum number of species on a day'),
});

/** Query parameters of `GET /api/v2/analytics/time/distribution/hourly`. */
export const DisplayHoursQuerySchema = Type.Object({
  start_date: day('First day, by default 30 days before the last'),
  end_date: day('Last day (inclusive), at most 366 days after the first, by default today'),
  species,
});

/** The shape of {@link DisplayHoursQuerySchema}. */
export type DisplayHoursQuery = Static<typeof DisplayHoursQuerySchema>;

/** Number of visits in an hour of the day. */
export const DisplayHourSchema = Type.Object({
  hour: count('Hour of the day, 0 to 23'),
  count: count('Number of visits that started in the hour'),
});

/** Query parameters of `GET /api/v2/media/species-image`: one of both. */
export const DisplayImageQuerySchema = Type.Object({
  name: name('Scientific name of the species'),
  scientific_name: name('Same as `name`'),
});

/** The configuration that displays request first. */
export const DisplayConfigSchema = Type.Object({
  version: literals(['birdhub'], { description: 'Always `birdhub`, in place of a version of BirdNET-Go' }),
  basePath: text('Path under which the hub is served; empty for the root'),
  audioExportEnabled: Type.Boolean({ description: 'Whether clips are available; always true' }),
  security: Type.Object(
    {
      enabled: Type.Boolean({ description: 'Whether a login of BirdNET-Go is required; always false' }),
      accessAllowed: Type.Boolean({ description: 'Whether the caller may read; always true' }),
      privateMode: Type.Boolean({ description: 'Whether reading requires a login; always false' }),
    },
    { description: 'Security settings, as in BirdNET-Go without a login' },
  ),
});

/** The path parameter of a dictionary. */
export const DisplayLocaleParamsSchema = Type.Object({
  locale: Type.String({ minLength: 1, maxLength: 16, description: 'Code of the language, such as `de`' }),
});

/** Names of species by scientific name. */
export const DisplayDictionarySchema = Type.Record(Type.String(), Type.String(), {
  description: 'Common names by scientific name',
});

/** All species. */
export const DisplaySpeciesListSchema = Type.Object({
  species: Type.Array(
    Type.Object({
      label: text('Scientific and common name, separated by `_`'),
      scientificName: text('Scientific name'),
      commonName: text('Common name in the language of the hub'),
    }),
    { description: 'Birds that the hub knows, by scientific name' },
  ),
  count: count('Number of species'),
});

/** The settings of the names of species. */
export const DisplayBirdNetSchema = Type.Object({
  locale: text('Language of the names of species'),
});

/** Languages of dictionaries. */
export const DisplayLocalesSchema = Type.Record(Type.String(), Type.String(), {
  description: 'English names of languages by their codes',
});
