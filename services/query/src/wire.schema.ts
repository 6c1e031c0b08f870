import { mediaKinds } from '@birdhub/domain/media';
import { storedGroups } from '@birdhub/domain/species';
import { literals } from '@birdhub/shared/config';
import { type TSchema, Type } from 'typebox';

/** An instant in RFC 3339. */
export const instant = (description: string) => Type.String({ format: 'date-time', description });
export const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
export const text = (description: string) => Type.String({ description });
export const textOrNull = (description: string) => orNull(Type.String(), description);
export const numberOrNull = (description: string) => orNull(Type.Number(), description);

/** The media type of a recording; null without media, as for a sighting without a picture. */
export const mediaKindOrNull = (
  description = 'Media type of the recording: `video`, `audio` for sound only, or `image` for the picture ' +
    'of a sighting; null without media',
) => orNull(literals(mediaKinds), description);

/** The media type of a recording. */
export const mediaKind = (
  description = 'Media type of the recording: `video`, `audio` for sound only, or `image` for the picture ' +
    'of a sighting',
) => literals(mediaKinds, { description });

/** The group of a species. */
export const speciesGroup = () =>
  literals(storedGroups, {
    description: 'Group of the species: bird, other animal or noise; only birds are counted in statistics',
  });

/** A picture in a response. */
export const imageUrl = (description = 'Picture of the species') =>
  textOrNull(
    `${description}: an absolute URL, or a path relative to the URL of the hub, without a leading slash`,
  );

/** A placeholder for a picture while it loads. */
export const thumbhash = (
  description = 'Blurred placeholder of the picture (https://evanw.github.io/thumbhash/)',
) => textOrNull(`${description} in base64; null when it has not been computed`);

/** A user-supplied picture: an absolute URL or a path of the hub. */
export const givenImageUrl = (description: string) =>
  orNull(
    Type.String({
      maxLength: 2_000,
      pattern: '^(https?://[^\\s\\p{Cc}/][^\\s\\p{Cc}]*|/?[^\\s\\p{Cc}:/\\\\][^\\s\\p{Cc}:\\\\]*)$',
    }),
    description,
  );

/** Converts a path of the hub to its stored form, relative to its address. */
export const toStoredImageUrl = (url: string) => url.replace(/^\//, '');

/** The path parameter `id`. */
export const idInPath = (description: string) =>
  Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description }) });

/** One box of a detection. */
export const FrameSchema = Type.Object(
  {
    t: Type.Number({ description: 'Time in seconds from the start of the recording' }),
    bbox: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'x1, y1, x2, y2 as fractions of the picture size',
    }),
  },
  { $id: 'Frame' },
);
