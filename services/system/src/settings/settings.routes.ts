import type { SettingsWriter, ShownSettings } from '@birdhub/domain/settings';
import { access, callerOf, callerTokenOf, type HubApp, isUnmodified, weakTag } from '@birdhub/shared/app';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ChangedSettingsSchema, SettingsChangeSchema, ShownSettingsSchema } from './settings.schema.js';

const readSchema = {
  operationId: 'getSettings',
  summary: 'Get all settings',
  description: 'Secrets are returned as `***` when they are set, and as an empty string when they are not.',
  tags: ['settings'],
  security: access.admin,
  response: { 200: ShownSettingsSchema },
};

const changeSchema = {
  operationId: 'changeSettings',
  summary: 'Change settings',
  description:
    'Objects are merged key by key, lists are replaced as a whole. `***` keeps a secret, `null` or an ' +
    'empty string clears it; for other known keys, `null` resets the value. If `If-Match` names a ' +
    'different version, nothing is changed and 409 is returned. Changing `homeassistant.url`, ' +
    '`mqtt.broker`, `mqtt.port`, `webhook.url`, `feed.esphome_url` or the `stream_url` of a camera clears ' +
    'the secrets in the same group unless they are sent again. Changing the user or host of `mqtt.broker`, ' +
    '`feed.esphome_url` or `stream_url` clears the password in it. Setting `general.settings_password` while it is empty revokes the access ' +
    'tokens that were created without a password, except those with the scope `processor` alone and the ' +
    'token of the request.',
  tags: ['settings'],
  security: access.admin,
  body: SettingsChangeSchema,
  response: { 200: ChangedSettingsSchema },
};

const bodyLimit = 1_048_576;

const tags = /(?:W\/)?"([^"]*)"/g;

interface SettingsRouteDeps {
  readonly settingsWriter: Pick<SettingsWriter, 'read' | 'change'>;
}

/** `GET` and `PATCH /settings` */
export function settingsRoutes(app: HubApp, { settingsWriter }: SettingsRouteDeps): void {
  app.get('/api/ui/settings', { schema: readSchema }, async (request, reply) =>
    sendSettings(request, reply, await settingsWriter.read()),
  );
  app.patch('/api/ui/settings', { schema: changeSchema, bodyLimit }, async (request, reply) => {
    // These are parts of responses that clients send back, not settings.
    const { cleared_secrets: _, revoked_tokens: __, ...change } = request.body;
    const { clearedSecrets, revokedTokens, ...shown } = await settingsWriter.change(change, {
      role: callerOf(request) ?? 'unknown',
      accessToken: callerTokenOf(request)?.name,
      requestId: request.id,
      ifVersions: versionsOf(request.headers['if-match']),
    });
    if (shown.keys.length) reply.header('x-hub-settings', shown.version);
    return sendSettings(request, reply, shown, {
      ...(clearedSecrets.length && { cleared_secrets: clearedSecrets }),
      ...(revokedTokens.length && { revoked_tokens: revokedTokens }),
    });
  });
}

/** Sends serialised JSON, as a serializer made from the schema would drop unknown keys. */
function sendSettings(
  request: FastifyRequest,
  reply: FastifyReply,
  { version, settings }: ShownSettings,
  effects: Readonly<Record<string, readonly string[]>> = {},
) {
  const body = JSON.stringify(settings);
  reply.header('etag', settingsTag(version, body)).header('cache-control', 'no-cache');
  if (request.method === 'GET' && isUnmodified(request, reply)) return reply.code(304).send();
  const content = Object.keys(effects).length ? JSON.stringify({ ...settings, ...effects }) : body;
  return reply.type('application/json; charset=utf-8').send(Buffer.from(content));
}

/** Returns a weak entity tag of the version and the masked body. */
export function settingsTag(version: number, body: string): string {
  return weakTag(body).replace('"', `"${version}.`);
}

/** Returns the versions of an `If-Match`; undefined when it matches any. */
export function versionsOf(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const named = [...ifMatch.matchAll(tags)].map(([, tag = '']) => tag);
  return named.filter((tag) => /^\d+(\.|$)/.test(tag)).map((tag) => Number.parseInt(tag, 10));
}
