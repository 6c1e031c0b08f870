import { detectionSources } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { HeardSchema, TimelineSpeciesSchema } from '../timeline/timeline.schema.js';
import { instant, mediaKindOrNull, orNull, text, thumbhash } from '../wire.schema.js';

const limit = (byDefault: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 50, default: byDefault, description });

const speciesId = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Of this species and all below it' }),
);

/** What `GET /highlights` takes. */
export const HighlightsQuerySchema = Type.Object({
  start_time: Type.Optional(
    text(
      'Start of the window: unix seconds UTC or RFC 3339; with `end_time`, and without both all of the past',
    ),
  ),
  end_time: Type.Optional(text('End of the window, not itself in it')),
  limit: limit(12, 'Maximum number of highlights'),
  species_id: speciesId,
});

/** What `GET /highlights/on-this-day` takes. */
export const OnThisDayQuerySchema = Type.Object({
  date: Type.Optional(text('A day of the hub, `YYYY-MM-DD`; without it today')),
  limit: limit(3, 'Maximum number of highlights of each year'),
});

/** Why something is a highlight. */
const highlightReasons = ['first_ever', 'new_this_year', 'rare', 'favorite', 'sharp', 'large'] as const;

/** A detection worth looking at. */
export const HighlightSchema = Type.Object(
  {
    detection_id: Type.Integer({
      description: 'Id of the detection, of which `GET /detections/{id}/crop` is the picture',
    }),
    video_id: Type.Integer({ description: 'Id of its recording' }),
    visit_id: Type.Integer({ description: 'Id of its visit' }),
    start_time: instant('When the bird was first seen or heard in the recording'),
    seconds: Type.Number({ description: 'The best moment, in seconds from the start of the recording' }),
    species: Type.Object(TimelineSpeciesSchema.properties, { description: 'The species of the visit' }),
    media_kind: mediaKindOrNull(),
    source: literals(detectionSources, { description: 'Found by picture or by sound' }),
    confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
    reviewed: Type.Boolean({ description: 'Whether a person has looked at it' }),
    favorite: Type.Boolean({ description: 'Whether its recording is a favourite' }),
    camera: text('The camera of its recording'),
    max_simultaneous: Type.Integer({ description: 'Maximum number of birds at once in its visit' }),
    reasons: Type.Array(literals(highlightReasons), {
      description:
        'Why it stands out: the first visit of the species ever or of the year, a rare one, a favourite, a sharp ' +
        'picture, a large bird',
    }),
    heard: orNull(Type.Object(HeardSchema.properties), 'Where it is heard, when it was found by sound'),
    thumbhash: thumbhash(),
  },
  { $id: 'Highlight' },
);

/** The shape of {@link HighlightSchema}. */
export type Highlight = Static<typeof HighlightSchema>;

/** The same day of a past year. */
export const PastDaySchema = Type.Object(
  {
    date: text('The day, `YYYY-MM-DD`'),
    years_ago: Type.Integer({ minimum: 1, description: 'How many years ago it was' }),
    visits: Type.Integer({ description: 'Visits of birds on that day' }),
    species: Type.Integer({ description: 'Species of birds on that day' }),
    highlights: Type.Array(HighlightSchema, { description: 'Best first' }),
  },
  { $id: 'PastDay' },
);
