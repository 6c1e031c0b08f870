import { correctionScopes } from '@birdhub/domain/recordings';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { instant, orNull, text } from '../wire.schema.js';

/** What `GET /corrections/recent` takes. */
export const RecentCorrectionsQuerySchema = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of entries' }),
});

const NamedSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
});

/** What a person said of detections. */
export const RecentCorrectionSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the entry' }),
    kind: literals(['correction', 'confirmation'], { description: 'What a person did' }),
    detection_id: Type.Integer({ description: 'A detection that shows it, and by which it is reverted' }),
    video_id: Type.Integer({ description: 'The recording of that detection' }),
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
