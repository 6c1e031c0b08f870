import { literals } from '@birdhub/shared/config';
import { type Static, type TSchema, Type } from 'typebox';

const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

/** Maximum size of a picture of a sighting, in bytes. */
export const maxPictureBytes = 10 * 1024 * 1024;
/** Maximum length in base64, with line breaks. */
const maxBase64Length = 14 * 1024 * 1024;
/** Maximum birds of a sighting. */
export const maxCount = 500;
/** Maximum lengths of texts of a sighting. */
export const maxLengths = { name: 200, camera: 64, imageUrl: 2_000, note: 1_000, id: 128 } as const;

/** A posted sighting; null means absent, and unknown keys are ignored. */
export const SightingBodySchema = Type.Object(
  {
    species_name: Type.String({
      minLength: 1,
      maxLength: maxLengths.name,
      description: 'Name of the species',
    }),
    time: optional(
      Type.String({ maxLength: 64 }),
      'Start time, RFC 3339; UTC without an offset. Defaults to the time of the sighting stored with the ' +
        'same `id`, else the time at which the picture was taken, else now',
    ),
    end_time: optional(
      Type.String({ maxLength: 64 }),
      'End time, in the format of `time`, at most 24 hours after the start. Defaults to one second after ' +
        'the start',
    ),
    confidence: optional(
      Type.Number({ minimum: 0, maximum: 1 }),
      'Confidence, 0 to 1; defaults to 1. Nothing is stored below the minimum confidence of the settings',
    ),
    camera_id: optional(Type.String({ maxLength: maxLengths.camera }), 'Id of the camera or place'),
    count: optional(
      Type.Integer({ minimum: 1, maximum: maxCount }),
      'Number of birds seen at the same time; defaults to 1. Each bird is stored as a separate detection',
    ),
    source: Type.Optional(
      Type.Union([literals(['video', 'audio']), Type.Null()], {
        description: 'Whether the bird was seen (`video`) or only heard (`audio`); defaults to `video`',
      }),
    ),
    image_base64: optional(
      Type.String({ minLength: 1, maxLength: maxBase64Length }),
      'JPEG, PNG or WebP picture in base64 or as a `data:` URL, maximum 10 MB; cannot be combined with ' +
        '`image_url`',
    ),
    image_url: optional(
      Type.String({ minLength: 1, maxLength: maxLengths.imageUrl }),
      'URL from which the hub fetches the picture, `http` or `https`; must not be on the host of the hub ' +
        'itself',
    ),
    note: optional(Type.String({ maxLength: maxLengths.note }), 'Free-text note'),
    id: optional(
      Type.String({ minLength: 1, maxLength: maxLengths.id }),
      'Id assigned by the client. It is the key together with the camera, so that posting again is safe',
    ),
  },
  { additionalProperties: true, $id: 'PostedSighting' },
);

/** The shape of {@link SightingBodySchema}. */
export interface SightingBody extends Static<typeof SightingBodySchema> {}

/** The response to a posted sighting. */
export const SightingResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    video_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the recording that represents the sighting; null when nothing was stored',
    }),
    created: Type.Boolean({ description: 'Whether the sighting is new' }),
    deleted: Type.Optional(
      Type.Boolean({ description: 'Whether a user had deleted this sighting, so that nothing was stored' }),
    ),
    detections: Type.Integer({ description: 'Number of stored detections, one per bird' }),
    dropped: Type.Integer({
      description: 'Number of detections not stored: below the minimum confidence, or noise',
    }),
    visits: Type.Array(Type.Integer(), { description: 'Ids of the visits that the detections belong to' }),
  },
  { $id: 'SightingResult' },
);
