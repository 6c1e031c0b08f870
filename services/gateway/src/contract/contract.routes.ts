import { createHash } from 'node:crypto';
import { access, type HubApp, isUnmodified } from '@birdhub/shared/app';
import { Type } from 'typebox';

const schema = {
  summary: 'Get this document',
  tags: ['contract'],
  security: access.open,
  produces: ['text/yaml'],
  response: { 200: Type.String(), 304: Type.Null() },
};

/** `GET /openapi.yaml`, `GET /api/ui/openapi.yaml` */
export function contractRoutes(app: HubApp, { basePath, text }: { basePath: string; text: string }): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const paths = { getContract: '/openapi.yaml', getUiContract: '/api/ui/openapi.yaml' };
  for (const [operationId, path] of Object.entries(paths)) {
    app.get(basePath + path, { schema: { ...schema, operationId } }, (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'no-cache');
      if (isUnmodified(request, reply)) {
        reply.code(304).send(null);
        return;
      }
      reply.type('text/yaml; charset=utf-8').send(text);
    });
  }
}
