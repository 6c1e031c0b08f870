import { HookMappingSchema, HookSchema } from '@birdhub/domain/settings';
import { translation } from '@birdhub/shared/errors';
import { type Static, Type } from 'typebox';

/** The path parameter of a hook. */
export const HookParamsSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Name of the hook in the settings' }),
});

/** Any JSON, which is interpreted by the mapping of the hook. */
export const HookBodySchema = Type.Unsafe<unknown>({
  description: 'The payload of the program: any JSON, plain text, or a form with JSON in the field `payload`',
});

/** The response to a post to a hook. */
export const HookResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    video_id: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Id of the recording that represents the sighting; null when nothing was stored',
    }),
    created: Type.Boolean({ description: 'Whether the sighting is new' }),
    visits: Type.Array(Type.Integer(), { description: 'Ids of the visits that the sighting belongs to' }),
  },
  { $id: 'HookResult' },
);

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The sighting that a mapping extracts from an example. */
const MappedSightingSchema = Type.Object(
  {
    species_name: Type.String({
      description: 'Name of the species, followed by the scientific name in brackets when both are found',
    }),
    time: text('Start time, RFC 3339; defaults to the time of the post'),
    end_time: text('End time, RFC 3339'),
    confidence: Type.Optional(Type.Number({ description: 'Confidence, 0 to 1' })),
    camera_id: text('Id of the camera'),
    source: HookMappingSchema.properties.source,
    count: Type.Optional(Type.Integer({ description: 'Number of birds seen at the same time' })),
    note: text('Free-text note'),
    id: text('Id of the sighting, assigned by the sender'),
    image_url: text('URL from which the hub would fetch the picture'),
    image_base64: text('The picture in base64, truncated to 200 characters'),
  },
  { $id: 'MappedSighting' },
);

/** The shape of {@link MappedSightingSchema}, the body of a sighting. */
export type MappedSighting = Static<typeof MappedSightingSchema>;

/** A mapping and an example payload to test it with. */
export const HookPreviewSchema = Type.Object(
  {
    mapping: Type.Object(
      { name: Type.Optional(HookSchema.properties.name), ...HookMappingSchema.properties },
      {
        additionalProperties: false,
        description:
          'As a hook in the settings. Without any pointer, the suggested pointers are used instead',
      },
    ),
    example: Type.Unsafe<unknown>({
      description: 'An example payload: JSON, or a text, which is parsed as JSON if possible',
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
        message: Type.String({
          description: 'Description of the problem, for example that nothing was found',
        }),
        ...translation,
      }),
      {
        description:
          'Problems with the mapping or the example. Without `sighting`, at least one of them is the reason',
      },
    ),
    suggestions: Type.Object(HookMappingSchema.properties, {
      description: 'Suggested pointers, found by the key names in the example',
    }),
  },
  { $id: 'PreviewedHook' },
);
