import { literals } from '@birdhub/shared/config';
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
  { additionalProperties: false, description: 'How it sends; which fields there are depends on the kind' },
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
      'How it sends; which fields there are depends on the kind. What is left out stays as it is; null takes an option back',
  },
);

const secretsIn = Type.Record(
  Type.String({ maxLength: 40 }),
  Type.Union([Type.String({ maxLength: 4_096 }), Type.Null()]),
  {
    maxProperties: 8,
    description:
      'Stored sealed and never returned: `secret` of a webhook, `bot_token` of Telegram, `token` or `password` of ntfy, `url` of Discord, ' +
      '`password` of e-mail and MQTT, `urls` of Apprise. What is left out stays as it is; null clears a secret',
  },
);

const kind = literals(channelKindNames, { description: 'How it sends' });
const name = Type.String({ minLength: 1, maxLength: 64, description: 'Name for people, unique' });
const enabled = Type.Boolean({ description: 'Whether messages are sent by it' });

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
        description: 'A channel that is stored; what the body leaves out is taken from it',
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
    message: Type.String({ description: 'What happened, for a person' }),
  },
  { $id: 'NotificationChannelTest' },
);

/** A channel in responses. */
export const ChannelSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the channel' }),
    kind,
    name: Type.String({ description: 'Name for people' }),
    enabled,
    options,
    secrets: Type.Array(Type.String(), { description: 'Names of the secrets that are stored' }),
    state: literals(['ok', 'unused', 'failing', 'paused'], {
      description:
        '`ok`: the last message arrived; `unused`: none was sent yet; `failing`: the last one did not arrive; `paused`: not enabled',
    }),
    recipients: Type.Integer({ description: 'Whom it reaches: browsers that subscribed, else 1' }),
    waiting: Type.Integer({ description: 'Messages that wait to be sent' }),
    last_sent_at: orNull(instant(), 'When a message was sent last'),
    error: orNull(Type.String(), 'Why the last message did not arrive, for a person; null when it did'),
    error_at: orNull(instant(), 'When that was'),
    created_at: Type.String({ format: 'date-time', description: 'When it was added' }),
  },
  { $id: 'NotificationChannel' },
);

/** The path parameter of routes of one channel. */
export const ChannelParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the channel' }),
});

/** The response to a deletion. */
export const ChannelDoneSchema = Type.Object(
  { message: Type.String({ description: 'What was done, for a person' }) },
  { $id: 'NotificationChannelDone' },
);

export type ShownChannel = Static<typeof ChannelSchema>;

export type ChannelTestBody = Static<typeof ChannelTestBodySchema>;
export type ChannelTest = Static<typeof ChannelTestSchema>;
