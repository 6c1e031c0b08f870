import { access, type HubApp, isNamedBy } from '@birdhub/shared/app';
import type { SettingsWriter, ShownSettings } from '@birdhub/shared/settings';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SettingsChangeSchema, ShownSettingsSchema } from './settings.schema.js';
import { settingsTag, versionsOf } from './settings-tag.js';

const readSchema = {
  operationId: 'getSettings',
  summary: 'Read all settings',
  description: 'Secrets are shown as `***` when they are set and as an empty text when not.',
  tags: ['settings'],
  security: access.admin,
  response: { 200: ShownSettingsSchema },
};

const changeSchema = {
  operationId: 'changeSettings',
  summary: 'Change some settings',
  description:
    'Objects merge key by key, lists are replaced whole. `***` keeps a secret, ' +
    '`null` or an empty text clears it; `null` resets another key that the hub knows. With `If-Match` of another ' +
    'version nothing is changed and the answer is 409.',
  tags: ['settings'],
  security: access.admin,
  body: SettingsChangeSchema,
  response: { 200: ShownSettingsSchema },
};

const bodyLimit = 1_048_576;

/** Answers bytes: a serializer made from the schema would bend keys that are of another shape. */
function sendSettings(request: FastifyRequest, reply: FastifyReply, { version, settings }: ShownSettings) {
  const body = JSON.stringify(settings);
  const tag = settingsTag(version, body);
  reply.header('etag', tag).header('cache-control', 'no-cache');
  const isKnown = request.method === 'GET' && isNamedBy(request.headers['if-none-match'], tag);
  if (isKnown) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(Buffer.from(body));
}

/** `GET` and `PATCH /settings` */
export function settingsRoutes(app: HubApp, { settingsWriter }: { settingsWriter: SettingsWriter }): void {
  app.get('/api/ui/settings', { schema: readSchema }, async (request, reply) =>
    sendSettings(request, reply, await settingsWriter.read()),
  );
  app.patch('/api/ui/settings', { schema: changeSchema, bodyLimit }, async (request, reply) => {
    const { ring, ...shown } = await settingsWriter.change(request.body, {
      role: String(request.headers['x-hub-caller'] ?? 'unknown'),
      requestId: request.id,
      ifVersions: versionsOf(request.headers['if-match']),
    });
    if (ring !== undefined) reply.headers({ 'x-hub-bell': ring, 'x-hub-settings': shown.version });
    return sendSettings(request, reply, shown);
  });
}
