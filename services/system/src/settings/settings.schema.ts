import { SettingsSchema } from '@birdhub/domain/settings';
import { Type } from 'typebox';

/** All settings including defaults; secrets that are set are `***`. */
export const ShownSettingsSchema = Type.Object(SettingsSchema.properties, {
  $id: 'Settings',
  additionalProperties: true,
  description: 'Keys that the hub does not know belong to processors and pages, and are kept unchanged',
});

/** The settings after a change, the cleared secrets and the revoked tokens. */
export const ChangedSettingsSchema = Type.Object(
  {
    ...SettingsSchema.properties,
    cleared_secrets: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Secrets, such as `mqtt.password`, that were cleared because the address that they belong to has ' +
          'changed and they were not sent again; omitted when there are none',
      }),
    ),
    revoked_tokens: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Names of access tokens that were revoked because the change set the first admin password, and ' +
          'anybody could create tokens until then; omitted when there are none',
      }),
    ),
  },
  { $id: 'ChangedSettings', additionalProperties: true },
);

/** Validated when merged, as it may contain masks and nulls. */
export const SettingsChangeSchema = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
  description: 'The settings to change, in the structure of all settings',
});
