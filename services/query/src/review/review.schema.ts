import { type CorrectionScope, correctionScopes } from '@birdhub/domain/recordings';
import { detectionSources, windowParameters } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { idInPath, imageUrl, instant, mediaKindOrNull, orNull, text, textOrNull } from '../wire.schema.js';

/** The path parameters of a route about one detection. */
export const DetectionParamsSchema = idInPath('Id of the detection');

/** The scopes of a correction, including aliases of clients. */
const applyScopes = [...correctionScopes, 'track', 'whole_visit', 'legacy_fanout'] as const;

/** Returns the scope of an alias. */
export function scopeOf(applyScope: (typeof applyScopes)[number]): CorrectionScope {
  return applyScope === 'single_track' || applyScope === 'track' ? 'single_track' : 'visit';
}

/** A correction by a person. */
export const CorrectionSchema = Type.Object(
  {
    species_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The right species; also an inactive or a generic one',
    }),
    apply_scope: literals(applyScopes, {
      default: 'single_track',
      description:
        'Its track (or it alone, when it has none), or all of its visit; `whole_visit` and `legacy_fanout` are other ' +
        'names of `visit`, and `track` of `single_track`',
    }),
    source: Type.Optional(Type.Unknown({ description: 'Accepted and ignored' })),
  },
  { additionalProperties: false },
);

/** The response to a review. */
export const ReviewedSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    species_id: Type.Integer({ description: 'The species of the detection now' }),
    updated_count: Type.Integer({ description: 'Number of detections that were changed' }),
    visit_id: Type.Integer({ description: 'The visit of the detection now' }),
  },
  { $id: 'ReviewedDetection' },
);

/** Query parameters of `GET /unknowns`. */
export const UnknownsQuerySchema = Type.Object({
  ...windowParameters(),
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'Maximum number of detections',
  }),
});

/** A detection that needs a review. */
export const UnknownSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The detection' }),
    video_id: Type.Integer({ description: 'Id of its recording' }),
    media_kind: mediaKindOrNull(),
    species_id: Type.Integer({ description: 'Id of the species it was taken for' }),
    species_name: Type.String({ description: 'Name of that species' }),
    confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
    start_time: instant('When it was first seen or heard'),
    end_time: instant('When it was last seen or heard'),
    source: literals(detectionSources, { description: 'Found by picture or by sound' }),
    detection_provider: textOrNull('Which detector found it'),
    plumage: textOrNull('Sex, age or season of the bird as the label of the detector says them'),
    image_url: imageUrl(),
    crop_url: text('Its own picture'),
    review_reason: literals(['low_confidence', 'generic_species'], {
      description: 'A generic species before a low confidence',
    }),
  },
  { $id: 'Unknown' },
);

/** Query parameters of `GET /corrections/recent`. */
export const RecentCorrectionsQuerySchema = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of entries' }),
});

const NamedSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
});

/** A correction in the list of recent ones. */
export const RecentCorrectionSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the entry' }),
    kind: literals(['correction', 'confirmation'], { description: 'What a person did' }),
    detection_id: Type.Integer({ description: 'A detection that shows it, and by which it is reverted' }),
    video_id: Type.Integer({ description: 'The recording of that detection' }),
    media_kind: mediaKindOrNull('What that recording consists of; null without a medium'),
    from: Type.Array(NamedSpeciesSchema, {
      description: 'Species before; of a confirmation what it confirmed',
    }),
    to: orNull(NamedSpeciesSchema, 'Species after; null for a confirmation'),
    updated_count: Type.Integer({ description: 'Number of detections that it changed' }),
    apply_scope: literals(correctionScopes, {
      description: 'What it was about: one track, or the whole visit',
    }),
    corrected_at: instant('When it was made'),
    reverted_at: orNull(instant('When it was reverted'), 'Null while part of it applies'),
    by: text('Role of the caller'),
  },
  { $id: 'RecentCorrection' },
);
