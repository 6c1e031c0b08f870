import { widthParameter } from '@birdhub/domain/media';
import { Type } from 'typebox';

/** The path parameters. */
export const DetectionParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the detection' }),
});

/** Query parameters of `GET /detections/:id/crop`. */
export const CropQuerySchema = Type.Object({
  full: Type.Optional(Type.String({ description: '`1`, `true` or `yes`: return the whole frame' })),
  metadata: Type.Optional(
    Type.String({
      description:
        '`1`, `true` or `yes`: add time, place and species as EXIF, XMP and IPTC metadata, as read by ' +
        'observation portals; cannot be combined with `width`',
    }),
  ),
  width: widthParameter,
});

const file = Type.Unsafe<never>({ type: 'string', format: 'binary' });

/** A picture as an attachment. */
export const pictureResponses = {
  200: {
    description: 'The picture as an attachment',
    content: { 'image/jpeg': { schema: file }, 'image/webp': { schema: file } },
  },
};
