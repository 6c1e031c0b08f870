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
const limit = (maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, description }));
const species = name('Only this species: its scientific or common name, or its eBird code');

/** Maximum visits of a page. */
const maxResults = 1_000;

/** Query parameters of `GET /api/v2/detections`. */
export const DisplayVisitsQuerySchema = Type.Object({
  queryType: Type.Optional(
    literals(['all', 'hourly', 'species', 'search'], {
      description: 'Which of the other parameters is meant; each is heeded in any case',
    }),
  ),
  date: day('One day; not beside `start_date` or `end_date`'),
  start_date: day('First day of the visits'),
  end_date: day('Last day of the visits'),
  hour: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 23, description: 'With `date`: the hour from which on it is meant' }),
  ),
  duration: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 24, description: 'How many hours, with `hour`; 1 without it' }),
  ),
  species,
  search: name('Part of a scientific or common name'),
  numResults: limit(maxResults, 'Visits of a page; 100 without it'),
  limit: limit(maxResults, 'The same as `numResults`'),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Visits before the page' }),
  ),
  sortBy: Type.Optional(
    literals(['date_desc', 'date_asc'], { description: 'The newest first, or the oldest first' }),
  ),
});

/** The shape of {@link DisplayVisitsQuerySchema}. */
export type DisplayVisitsQuery = Static<typeof DisplayVisitsQuerySchema>;

/** A visit in the form of a detection of BirdNET-Go. */
export const DisplayVisitSchema = Type.Object(
  {
    id: count('Id of the visit'),
    date: text("Day of its start in the hub's zone, `YYYY-MM-DD`"),
    time: text("Time of its start in the hub's zone, `HH:MM:SS`"),
    timestamp: text('Its start with the offset of the zone, RFC 3339 to the second'),
    source: Type.Optional(
      Type.Object(
        {
          id: text('The camera'),
          type: literals(['camera', 'microphone'], { description: 'Whether it was seen, or only heard' }),
          displayName: text('The name of the camera, or its id'),
        },
        { description: 'Missing when its recording names no camera' },
      ),
    ),
    beginTime: text('Its start with the offset of the zone, RFC 3339 to the second'),
    endTime: text('Its end with the offset of the zone, RFC 3339 to the second'),
    speciesCode: text('Code of eBird; empty when there is none'),
    scientificName: text('Scientific name of its species'),
    commonName: text('Common name of its species in the language of the hub'),
    confidence: share('Highest confidence of its detections'),
    clipName: Type.Optional(text('A name for its clip; missing when there is none to hear')),
    modelType: literals(['bird'], { description: 'Only birds are listed' }),
    verified: literals(['correct', 'unverified'], { description: 'Whether a person has confirmed it' }),
    locked: Type.Boolean({ description: 'Whether its recording is a favourite, which is kept' }),
  },
  { $id: 'DisplayVisit' },
);

/** The shape of {@link DisplayVisitSchema}. */
export type DisplayVisit = Static<typeof DisplayVisitSchema>;

/** A page of visits. */
export const DisplayVisitPageSchema = Type.Object({
  data: Type.Array(DisplayVisitSchema, { description: 'The visits of the page' }),
  total: count('Visits on all pages'),
  limit: count('Most visits of a page'),
  offset: count('Visits before this page'),
  current_page: count('Number of this page, from 1'),
  total_pages: count('Number of pages'),
});

/** Query parameters of `GET /api/v2/detections/recent`. */
export const DisplayRecentQuerySchema = Type.Object({
  limit: limit(maxResults, 'How many; 10 without it'),
});

/** Query parameters of `GET /api/v2/analytics/species/summary`. */
export const DisplaySummaryQuerySchema = Type.Object({
  start_date: day('First day'),
  end_date: day('Last day'),
  limit: limit(10_000, 'Most species'),
});

/** A species in a span of days. */
export const DisplaySummarySchema = Type.Object({
  scientific_name: text('Scientific name'),
  common_name: text('Common name in the language of the hub'),
  species_code: Type.Optional(text('Code of eBird')),
  count: count('Its visits'),
  first_heard: text("Start of the first, `YYYY-MM-DD HH:MM:SS` in the hub's zone"),
  last_heard: text("Start of the last, `YYYY-MM-DD HH:MM:SS` in the hub's zone"),
  avg_confidence: share('Mean confidence of its latest 20 visits'),
  max_confidence: share('Highest confidence of its latest 20 visits'),
  thumbnail_url: Type.Optional(text('Path of its picture; missing when there is none')),
});

/** Query parameters of `GET /api/v2/analytics/species/daily`. */
export const DisplayDayQuerySchema = Type.Object({
  date: day('The day; today without it'),
  min_confidence: Type.Optional(
    Type.Number({ minimum: 0, maximum: 100, description: 'Least confidence of a visit, in percent' }),
  ),
  limit: limit(10_000, 'Most species'),
});

/** A species on one day. */
export const DisplayDaySchema = Type.Object({
  scientific_name: text('Scientific name'),
  common_name: text('Common name in the language of the hub'),
  species_code: Type.Optional(text('Code of eBird')),
  count: count('Its visits of the day'),
  hourly_counts: Type.Array(Type.Integer(), {
    minItems: 24,
    maxItems: 24,
    description: 'Its visits by the hour in which they began',
  }),
  high_confidence: Type.Boolean({ description: 'Whether the highest confidence is 0.8 or more' }),
  max_confidence: share('Highest confidence of the day'),
  first_heard: text("Start of the first, `HH:MM:SS` in the hub's zone"),
  latest_heard: text("Start of the last, `HH:MM:SS` in the hub's zone"),
  thumbnail_url: Type.Optional(text('Path of its picture; missing when there is none')),
  is_new_species: Type.Boolean({ description: 'Whether it came for the first time within 14 days' }),
  days_since_first_seen: count('Days since its first visit'),
});

/** Query parameters of routes that require a first day. */
export const DisplayDaysQuerySchema = Type.Object({
  start_date: text('First day, `YYYY-MM-DD`'),
  end_date: day('Last day; 30 days after the first without it'),
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
  species: Type.Optional(text('The species that was asked for')),
  data: Type.Array(Type.Object({ date: text('The day'), count: count('Its visits') }), {
    description: 'Days with visits, the oldest first',
  }),
  total: count('Visits of all days'),
});

/** Species by day. */
export const DisplayDiversitySchema = Type.Object({
  ...span,
  data: Type.Array(Type.Object({ date: text('The day'), unique_species: count('How many species came') }), {
    description: 'Days with visits, the oldest first',
  }),
  max_diversity: count('Most species of a day'),
});

/** Query parameters of `GET /api/v2/analytics/time/distribution/hourly`. */
export const DisplayHoursQuerySchema = Type.Object({
  start_date: day('First day; 30 days ago without it'),
  end_date: day('Last day, at most 366 days after the first; today without it'),
  species,
});

/** Number of visits in an hour of the day. */
export const DisplayHourSchema = Type.Object({
  hour: count('Hour of the day, 0 to 23'),
  count: count('Visits that began in it'),
});

/** Query parameters of `GET /api/v2/media/species-image`: one of both. */
export const DisplayImageQuerySchema = Type.Object({
  name: name('Scientific name of the species'),
  scientific_name: name('The same as `name`'),
});

/** The configuration that displays request first. */
export const DisplayConfigSchema = Type.Object({
  version: literals(['birdhub'], { description: 'In place of a version of BirdNET-Go' }),
  basePath: text('The path below which the hub is served; empty for the root'),
  audioExportEnabled: Type.Boolean({ description: 'There are clips to hear' }),
  security: Type.Object(
    {
      enabled: Type.Boolean({ description: 'Nothing here needs a login of BirdNET-Go' }),
      accessAllowed: Type.Boolean({ description: 'Whether the caller may read' }),
      privateMode: Type.Boolean({ description: 'Whether nothing is read without a login' }),
    },
    { description: 'As BirdNET-Go without a login' },
  ),
});
