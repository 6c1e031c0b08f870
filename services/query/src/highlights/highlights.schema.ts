import { detectionSources } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { HeardSchema, TimelineSpeciesSchema } from '../timeline/timeline.schema.js';
import { instant, mediaKindOrNull, orNull, text, thumbhash } from '../wire.schema.js';

const limit = (byDefault: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: 50, default: byDefault, description });

const speciesId = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only this species and its descendants' }),
);

/** Query parameters of `GET /highlights`. */
export const HighlightsQuerySchema = Type.Object({
  start_time: Type.Optional(
    text(
      'Start of the window: Unix seconds or RFC 3339; requires `end_time`. Without both, ' +
        'the window is the whole past',
    ),
  ),
  end_time: Type.Optional(text('End of the window (exclusive)')),
  limit: limit(12, 'Maximum number of highlights'),
  species_id: speciesId,
});

/** Query parameters of `GET /highlights/on-this-day`. */
export const OnThisDayQuerySchema = Type.Object({
  date: Type.Optional(text('Day, `YYYY-MM-DD` in the time zone of the hub; defaults to today')),
  limit: limit(3, 'Maximum number of highlights per year'),
});

/** Reasons why a detection is a highlight. */
const highlightReasons = ['first_ever', 'new_this_year', 'rare', 'favorite', 'sharp', 'large'] as const;

/** A detection that stands out, with the reasons. */
export const HighlightSchema = Type.Object(
  {
    detection_id: Type.Integer({
      description: 'Id of the detection; `GET /api/ui/detections/{id}/crop` returns its picture',
    }),
    video_id: Type.Integer({ description: 'Id of the recording' }),
    visit_id: Type.Integer({ description: 'Id of the visit' }),
    start_time: instant('When the bird was first seen or heard in the recording'),
    seconds: Type.Number({ description: 'The best moment, in seconds from the start of the recording' }),
    species: Type.Object(TimelineSpeciesSchema.properties, { description: 'The species of the visit' }),
    media_kind: mediaKindOrNull(),
    source: literals(detectionSources, {
      description: 'Detected by picture (`video`) or by sound (`audio`)',
    }),
    confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
    reviewed: Type.Boolean({ description: 'Whether a user has reviewed the detection' }),
    favorite: Type.Boolean({ description: 'Whether the recording is a favourite' }),
    camera: text('Id of the camera of the recording'),
    max_simultaneous: Type.Integer({ description: 'Maximum number of birds at the same time in the visit' }),
    reasons: Type.Array(literals(highlightReasons), {
      description:
        'Why the detection stands out: the first visit of the species ever (`first_ever`) or in the year ' +
        '(`new_this_year`), a rare species (`rare`), a favourite (`favorite`), a sharp picture (`sharp`) ' +
        'or a large bird (`large`)',
    }),
    heard: orNull(
      Type.Object(HeardSchema.properties),
      'Where the bird is heard, for a detection by sound; otherwise null',
    ),
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
    years_ago: Type.Integer({ minimum: 1, description: 'Number of years ago' }),
    visits: Type.Integer({ description: 'Number of visits of birds on that day' }),
    species: Type.Integer({ description: 'Number of species of birds on that day' }),
    highlights: Type.Array(HighlightSchema, { description: 'Highlights, best first' }),
  },
  { $id: 'PastDay' },
);
