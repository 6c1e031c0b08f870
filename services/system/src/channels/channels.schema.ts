import { literals } from '@birdhub/shared/config';
import { sentencesSchema } from '@birdhub/shared/errors';
import { type Static, type TSchema, Type } from 'typebox';
import { channelKindNames, channelOptions } from './channel-kinds.js';

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const instant = () => Type.String({ format: 'date-time' });

/** Returns the options of all kinds, described with their kinds. Each kind validates its own options. */
function allOptions(): Record<string, TSchema> {
  const merged: Record<string, TSchema> = {};
  for (const kind of channelKindNames) {
    for (const [name, property] of Object.entries<TSchema>(channelOptions[kind].properties)) {
      const { description = '', type, items, enum: values } = property as TSchema & Record<string, string>;
      const kinds = channelKindNames.filter((other) => name in channelOptions[other].properties);
      merged[name] ??= Type.Unsafe({
        type,
        ...(items && { items: { type: 'string' } }),
        ...(values && { enum: values }),
        description: `${description} (${kinds.join(', ')})`,
      });
    }
  }
  return merged;
}

const optionNames = allOptions();

const options = Type.Object(
  Object.fromEntries(Object.entries(optionNames).map(([name, schema]) => [name, Type.Optional(schema)])),
  {
    additionalProperties: false,
    description: 'Options of the channel; the available fields depend on the kind',
  },
);

const optionsIn = Type.Object(
  Object.fromEntries(
    Object.entries(optionNames).map(([name, schema]) => [
      name,
      Type.Optional(
        Type.Union([schema, Type.Null()], {
          description: (schema as { description?: string }).description ?? '',
        }),
      ),
    ]),
  ),
  {
    additionalProperties: false,
    description:
      'Options of the channel; the available fields depend on the kind. Omitted options stay unchanged; ' +
      'null resets an option',
  },
);

const secretsIn = Type.Record(
  Type.String({ maxLength: 40 }),
  Type.Union([Type.String({ maxLength: 4_096 }), Type.Null()]),
  {
    maxProperties: 8,
    description:
      'Stored encrypted and never returned: `secret` of a webhook, `bot_token` of Telegram, `token` or ' +
      '`password` of ntfy, `url` of Discord, `password` of e-mail and MQTT, `urls` of Apprise. Omitted ' +
      'secrets stay unchanged; null deletes a secret',
  },
);

const kind = literals(channelKindNames, { description: 'Kind of the channel' });
const name = Type.String({ minLength: 1, maxLength: 64, description: 'Unique display name' });
const enabled = Type.Boolean({ description: 'Whether the channel sends messages' });

/** Body of a new channel. */
export const ChannelBodySchema = Type.Object(
  {
    kind,
    name,
    enabled: Type.Optional(enabled),
    options: Type.Optional(optionsIn),
    secrets: Type.Optional(secretsIn),
  },
  { additionalProperties: false },
);

/** Body of a change. */
export const ChannelChangeSchema = Type.Object(
  {
    name: Type.Optional(name),
    enabled: Type.Optional(enabled),
    options: Type.Optional(optionsIn),
    secrets: Type.Optional(secretsIn),
  },
  { additionalProperties: false },
);

/** Body of a test. */
export const ChannelTestBodySchema = Type.Object(
  {
    id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Id of a stored channel, which provides the values that the body omits',
      }),
    ),
    kind: Type.Optional(kind),
    options: Type.Optional(optionsIn),
    secrets: Type.Optional(secretsIn),
  },
  { additionalProperties: false },
);

/** The result of a test. */
export const ChannelTestSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether every recipient of the channel was reached' }),
    message: Type.String({ description: 'Human-readable result' }),
    sentences: sentencesSchema(
      'Why it was not sent, as a list of sentences for translation; empty when it was',
    ),
  },
  { $id: 'NotificationChannelTest' },
);

/** A channel in responses. */
export const ChannelSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the channel' }),
    kind,
    name: Type.String({ description: 'Display name' }),
    enabled,
    options,
    secrets: Type.Array(Type.String(), { description: 'Names of the stored secrets' }),
    state: literals(['ok', 'unused', 'failing', 'paused'], {
      description:
        '`ok`: the last message was delivered; `unused`: no message sent yet; `failing`: the last message ' +
        'was not delivered; `paused`: not enabled',
    }),
    recipients: Type.Integer({
      description: 'Number of recipients: the subscribed browsers for `web_push`, else 1',
    }),
    waiting: Type.Integer({ description: 'Number of messages waiting to be sent' }),
    last_sent_at: orNull(instant(), 'When the last message was sent'),
    error: orNull(
      Type.String(),
      'Human-readable reason why the last message was not delivered; null when it was',
    ),
    sentences: sentencesSchema('The same reason as a list of sentences, for translation'),
    error_at: orNull(instant(), 'When this error occurred'),
    created_at: Type.String({ format: 'date-time', description: 'When the channel was added' }),
  },
  { $id: 'NotificationChannel' },
);

/** The path parameter of routes of one channel. */
export const ChannelParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the channel' }),
});

/** The response to a deletion. */
export const ChannelDoneSchema = Type.Object(
  { message: Type.String({ description: 'Human-readable result' }) },
  { $id: 'NotificationChannelDone' },
);

export type ShownChannel = Static<typeof ChannelSchema>;

export type ChannelTestBody = Static<typeof ChannelTestBodySchema>;
export type ChannelTest = Static<typeof ChannelTestSchema>;
