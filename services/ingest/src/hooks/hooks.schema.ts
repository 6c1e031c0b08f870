import { HookMappingSchema, HookSchema } from '@birdhub/domain/settings';
import { type Static, Type } from 'typebox';

/** The path parameter of a hook. */
export const HookParamsSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the hook in the settings' }),
});

/** Any JSON, which is interpreted by the mapping of the hook. */
export const HookBodySchema = Type.Unsafe<unknown>({
  description: 'What the program sends, any JSON; or a form whose field `payload` is JSON',
});

/** The response to a post to a hook. */
export const HookResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    video_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the recording that stands for the sighting; null when nothing was stored',
    }),
    created: Type.Boolean({ description: 'Whether it was stored for the first time' }),
    visits: Type.Array(Type.Integer(), { description: 'The visits that it belongs to' }),
  },
  { $id: 'HookAnswer' },
);

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The sighting that a mapping extracts from an example. */
const MappedSightingSchema = Type.Object(
  {
    species_name: Type.String({
      description: 'Name of the species; with the scientific one in brackets when both are found',
    }),
    time: text('Start, RFC 3339; when it is left out, the time at which it is posted'),
    end_time: text('End, RFC 3339'),
    confidence: Type.Optional(Type.Number({ description: '0 to 1' })),
    camera_id: text('Which camera'),
    count: Type.Optional(Type.Integer({ description: 'Birds at once' })),
    note: text('Note for people'),
    id: text('Id of the sender'),
    image_url: text('Where the hub would fetch the picture'),
    image_base64: text('The picture, of which the first 200 characters are shown'),
  },
  { $id: 'MappedSighting' },
);

/** The shape of {@link MappedSightingSchema}, the body of a sighting. */
export type MappedSighting = Static<typeof MappedSightingSchema>;

/** A mapping to be tested with an example body. */
export const HookPreviewSchema = Type.Object(
  {
    mapping: Type.Object(
      { name: Type.Optional(HookSchema.properties.name), ...HookMappingSchema.properties },
      {
        additionalProperties: false,
        description: 'As a hook of the settings; without any pointer the suggestions are tried instead',
      },
    ),
    example: Type.Unsafe<unknown>({
      description: 'What the program sends: JSON, or a text, which is read as JSON where it is JSON',
    }),
  },
  { $id: 'HookPreview', additionalProperties: false },
);

/** The result of a mapping applied to an example. */
export const PreviewedHookSchema = Type.Object(
  {
    sighting: Type.Optional(MappedSightingSchema),
    problems: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Field of the mapping, such as `confidence`' }),
        message: Type.String({ description: 'What is wrong, or that nothing is found' }),
      }),
      { description: 'What is not as the mapping says; without a sighting one of them is the reason' },
    ),
    suggestions: Type.Object(HookMappingSchema.properties, {
      description: 'Pointers to what in the example looks like the fields, by the names of its keys',
    }),
  },
  { $id: 'PreviewedHook' },
);
