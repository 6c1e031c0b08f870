import { type CorrectionScope, correctionScopes } from '@birdhub/domain/recordings';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { idInPath } from '../wire.schema.js';

/** The path parameters of a route about one detection. */
export const DetectionParamsSchema = idInPath('Id of the detection');

/** The scopes of a correction under the names that clients use. */
const applyScopes = [...correctionScopes, 'track', 'whole_visit', 'legacy_fanout'] as const;

/** Returns the scope that a client means. */
export function scopeOf(applyScope: (typeof applyScopes)[number]): CorrectionScope {
  return applyScope === 'single_track' || applyScope === 'track' ? 'single_track' : 'visit';
}

/** A person's word on what a detection shows. */
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

/** What became of a detection that a person looked at. */
export const ReviewedSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    species_id: Type.Integer({ description: 'The species of the detection now' }),
    updated_count: Type.Integer({ description: 'Number of detections that were changed' }),
    visit_id: Type.Integer({ description: 'The visit of the detection now' }),
  },
  { $id: 'ReviewedDetection' },
);
