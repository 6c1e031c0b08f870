import { type CorrectionScope, correctionScopes } from '@birdhub/domain/recordings';
import { detectionSources, windowParameters } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import {
  idInPath,
  imageUrl,
  instant,
  mediaKindOrNull,
  orNull,
  text,
  textOrNull,
  thumbhash,
} from '../wire.schema.js';

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
      description: 'Id of the correct species; may be inactive or generic',
    }),
    apply_scope: literals(applyScopes, {
      default: 'single_track',
      description:
        'Detections to correct. `single_track`: the track of the detection, or the detection alone when it ' +
        'has no track; `visit`: all detections of its visit. `track` is an alias of `single_track`; ' +
        '`whole_visit` and `legacy_fanout` are aliases of `visit`',
    }),
    source: Type.Optional(Type.Unknown({ description: 'Accepted and ignored' })),
  },
  { additionalProperties: false },
);

/** The response to a review. */
export const ReviewedSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    species_id: Type.Integer({ description: 'Id of the species of the detection after the request' }),
    updated_count: Type.Integer({ description: 'Number of detections that were changed' }),
    visit_id: Type.Integer({ description: 'Id of the visit of the detection after the request' }),
  },
  { $id: 'ReviewedDetection' },
);

/** A detection with its recording and its visit. */
export const DetectionSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the detection' }),
    video_id: Type.Integer({ description: 'Id of its recording' }),
    media_kind: mediaKindOrNull(),
    visit_id: Type.Integer({ description: 'Id of its visit' }),
    species_id: Type.Integer({ description: 'Id of its species' }),
    species_name: Type.String({ description: 'Name of its species' }),
    start_time: instant('Start of the detection'),
  },
  { $id: 'Detection' },
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
    id: Type.Integer({ description: 'Id of the detection' }),
    video_id: Type.Integer({ description: 'Id of the recording' }),
    media_kind: mediaKindOrNull(),
    species_id: Type.Integer({ description: 'Id of the detected species' }),
    species_name: Type.String({ description: 'Name of the detected species' }),
    confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
    start_time: instant('Start of the detection'),
    end_time: instant('End of the detection'),
    source: literals(detectionSources, {
      description: 'Detected by picture (`video`) or by sound (`audio`)',
    }),
    detection_provider: textOrNull('Detector that made the detection'),
    plumage: textOrNull('Sex, age or season of the bird according to the label of the detector'),
    image_url: imageUrl(),
    crop_url: text('URL of the picture of the detection'),
    thumbhash: thumbhash(),
    review_reason: literals(['low_confidence', 'generic_species'], {
      description: 'Reason for the review; `generic_species` takes precedence over `low_confidence`',
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
    kind: literals(['correction', 'confirmation'], { description: 'Kind of the review' }),
    detection_id: Type.Integer({
      description: 'Id of a detection of the review, which can be used to revert it',
    }),
    video_id: Type.Integer({ description: 'Id of the recording of that detection' }),
    media_kind: mediaKindOrNull('Media type of that recording; null without media'),
    from: Type.Array(NamedSpeciesSchema, {
      description: 'Previous species; for a confirmation, the confirmed species',
    }),
    to: orNull(NamedSpeciesSchema, 'New species; null for a confirmation'),
    updated_count: Type.Integer({ description: 'Number of detections that the review changed' }),
    apply_scope: literals(correctionScopes, {
      description: 'Scope of the review: one track, or the whole visit',
    }),
    corrected_at: instant('When the review was made'),
    reverted_at: orNull(
      instant('When the review was reverted'),
      'When the review was reverted; null while at least part of it applies',
    ),
    by: text('Role of the user who made the review'),
  },
  { $id: 'RecentCorrection' },
);
