import { literals } from '@birdhub/shared/config';
import { type Static, type TSchema, Type } from 'typebox';

const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

/** Maximum size of a picture of a sighting, in bytes. */
export const maxPictureBytes = 10 * 1024 * 1024;
/** Maximum length in base64, with line breaks. */
const maxBase64Length = 14 * 1024 * 1024;
/** Maximum birds of a sighting. */
const maxCount = 500;

/** A posted sighting; null means absent, and unknown keys are ignored. */
export const SightingBodySchema = Type.Object(
  {
    species_name: Type.String({ minLength: 1, maxLength: 200, description: 'Name of the species' }),
    time: optional(
      Type.String({ maxLength: 64 }),
      'Start, RFC 3339; without an offset it is UTC. Left out, it is that of the sighting stored under `id`, else the time at which the picture was taken, else now',
    ),
    end_time: optional(
      Type.String({ maxLength: 64 }),
      'End, as `time`; left out, a second after the start. At most 24 hours after it',
    ),
    confidence: optional(
      Type.Number({ minimum: 0, maximum: 1 }),
      'How sure it is, 0 to 1; left out, 1. Below the minimum of the settings nothing is stored',
    ),
    camera_id: optional(Type.String({ maxLength: 64 }), 'Which camera or place'),
    count: optional(
      Type.Integer({ minimum: 1, maximum: maxCount }),
      'Birds at once; left out, 1. Each is a detection of its own',
    ),
    source: Type.Optional(
      Type.Union([literals(['video', 'audio']), Type.Null()], {
        description: 'Whether the bird was seen (`video`) or only heard (`audio`); left out, it was seen',
      }),
    ),
    image_base64: optional(
      Type.String({ minLength: 1, maxLength: maxBase64Length }),
      'A JPEG, PNG or WebP picture of at most 10 MB, in base64, also as a `data:` URL; not with `image_url`',
    ),
    image_url: optional(
      Type.String({ minLength: 1, maxLength: 2_000 }),
      'Where the hub fetches the picture, `http` or `https`; not on the host of the hub itself',
    ),
    note: optional(Type.String({ maxLength: 1_000 }), 'Plain text for people'),
    id: optional(
      Type.String({ minLength: 1, maxLength: 128 }),
      'The id that the client gives it: with the camera it is the key, so that posting again is safe',
    ),
  },
  { additionalProperties: true, $id: 'PostedSighting' },
);

/** The shape of {@link SightingBodySchema}. */
export interface SightingBody extends Static<typeof SightingBodySchema> {}

/** The response to a posted sighting. */
export const SightingResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    video_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the recording that stands for it; null when nothing was stored',
    }),
    created: Type.Boolean({ description: 'Whether it was stored for the first time' }),
    deleted: Type.Optional(
      Type.Boolean({ description: 'A person deleted this sighting; nothing was stored' }),
    ),
    detections: Type.Integer({ description: 'Detections that are stored, one for each bird' }),
    dropped: Type.Integer({
      description: 'Detections that are not stored: below the minimum confidence, or noise',
    }),
    visits: Type.Array(Type.Integer(), { description: 'The visits its detections belong to' }),
  },
  { $id: 'SightingAnswer' },
);
