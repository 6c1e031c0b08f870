import { detectionSources, windowParameters } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { Type } from 'typebox';
import { imageUrl, instant, text, textOrNull } from '../wire.schema.js';

/** What `GET /unknowns` takes. */
export const UnknownsQuerySchema = Type.Object({
  ...windowParameters(),
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'Maximum number of detections',
  }),
});

/** A detection that a person should look at. */
export const UnknownSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The detection' }),
    video_id: Type.Integer({ description: 'Id of its recording' }),
    species_id: Type.Integer({ description: 'Id of the species it was taken for' }),
    species_name: Type.String({ description: 'Name of that species' }),
    confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
    start_time: instant('When it was first seen or heard'),
    end_time: instant('When it was last seen or heard'),
    source: literals(detectionSources, { description: 'Found by picture or by sound' }),
    detection_provider: textOrNull('Which detector found it'),
    image_url: imageUrl(),
    crop_url: text('Its own picture'),
    review_reason: literals(['low_confidence', 'generic_species'], {
      description: 'A generic species before a low confidence',
    }),
  },
  { $id: 'Unknown' },
);
