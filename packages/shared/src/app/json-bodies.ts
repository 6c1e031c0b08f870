import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HubError } from '../errors/index.js';

type Parsing = Pick<
  FastifyInstance,
  'removeContentTypeParser' | 'addContentTypeParser' | 'getDefaultJsonParser'
>;

const isPacked = ({ 'content-encoding': encoding = 'identity' }: FastifyRequest['headers']) =>
  encoding.toLowerCase() !== 'identity';

const packedBody = () =>
  new HubError('unsupported_media_type', { message: 'The body must not be compressed.' });

/**
 * Takes JSON and no other bodies. Keys that would reach into prototypes are left out, as a processor may send any; and
 * who says JSON and sends nothing, as front ends do with every request, has sent no body.
 */
export function takeJsonBodies(app: Parsing): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    if (isPacked(request.headers)) return done(packedBody());
    return parse(request, body, done);
  });
}
