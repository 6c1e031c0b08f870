import { literals } from '@birdhub/shared/config';
import { correctionScopes } from '@birdhub/shared/recordings';
import { Type } from 'typebox';
import { instant, orNull, text } from '../wire.schema.js';

/** What `GET /corrections/recent` takes. */
export const RecentCorrectionsQuerySchema = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});

const NamedSpeciesSchema = Type.Object({ id: Type.Integer(), name: Type.String() });

/** What a person said of detections. */
export const RecentCorrectionSchema = Type.Object(
  {
    id: Type.Integer(),
    kind: literals(['correction', 'confirmation']),
    detection_id: Type.Integer({ description: 'A detection to see it by, or to take it back by' }),
    video_id: Type.Integer({ description: 'The recording of that detection' }),
    from: Type.Array(NamedSpeciesSchema, {
      description: 'Species before; of a confirmation what it confirmed',
    }),
    to: orNull(NamedSpeciesSchema, 'Species after; null for a confirmation'),
    updated_count: Type.Integer({ description: 'How many detections were otherwise after it' }),
    apply_scope: literals(correctionScopes),
    corrected_at: instant('When it was said'),
    reverted_at: orNull(instant('When it was taken back'), 'Null while some of it stands'),
    by: text('Role of who said it'),
  },
  { $id: 'RecentCorrection' },
);
