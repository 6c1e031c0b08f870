import { pathInRecordings } from '@birdhub/domain/media';
import { access, type HubApp, whileAwaited } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAllowedPath } from '../processor-auth.js';
import { UploadHeadersSchema, UploadResponseSchema } from './media-upload.schema.js';
import type { MediaUploads, UploadResult, UploadState } from './media-uploads.js';
import { readUploadHeaders } from './upload-headers.js';

const url = '/media/*';

const stateSchema = {
  operationId: 'getUploadState',
  summary: 'Get how far an upload is',
  description:
    '`Upload-Offset` says how many bytes are stored, `Upload-Length` how many the file has, `Upload-Complete` (`?1`, `?0`) whether that is all of them. 404 when nothing of the file is there.',
  tags: ['processor'],
  security: access.processor,
  response: {
    200: { type: 'null', description: 'Something of the file is there; the headers say how much' },
  },
};

const uploadSchema = {
  operationId: 'uploadMedia',
  summary: 'Store the file of a recording',
  description:
    'The body is the file, whole or with `Content-Range` a part of it, and is stored while it comes. The file appears under its name when it is whole, and is never replaced: the same again is 200, another file of that name 409. Videos, audio and pictures that the hub serves are taken, judged by name and first bytes, of at most `MAX_UPLOAD_MB`. The recording may be posted before or afterwards. An access token that is limited to cameras uploads below folders that have the ids of its cameras.',
  tags: ['processor'],
  security: access.processor,
  headers: UploadHeadersSchema,
  body: {
    content: {
      'application/octet-stream': {
        schema: { type: 'string', format: 'binary', description: 'The bytes, of any declared type' },
      },
    },
  },
  response: { 200: UploadResponseSchema, 201: UploadResponseSchema, 202: UploadResponseSchema },
};

const statusOf = { created: 201, known: 200, partial: 202 } as const;
const messageOf = { created: 'success', known: 'known already', partial: 'incomplete' } as const;

/** `PUT` and `HEAD /media/{path}` */
export function mediaUploadRoutes(app: HubApp, { uploads }: { uploads: MediaUploads }): void {
  app.register(async (scope: HubApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // Headers are validated together with the path, before the body is read.
    const validatorCompiler = () => () => true;
    scope.route<{ Params: { '*': string } }>({
      method: 'HEAD',
      url,
      schema: stateSchema,
      async handler(request, reply) {
        const path = allowedPath(request);
        const state = await uploads.findState(path);
        if (!state) throw new HubError('file_not_found');
        sendState(reply, state).header('content-length', String(state.received));
        return reply.send();
      },
    });
    scope.route<{ Params: { '*': string } }>({
      method: 'PUT',
      url,
      schema: uploadSchema,
      validatorCompiler,
      async handler(request, reply) {
        const { 'content-encoding': encoding = 'identity' } = request.headers;
        if (encoding.toLowerCase() !== 'identity')
          throw new HubError('media_type_unsupported', { message: 'The body must not be compressed.' });
        const path = allowedPath(request);
        const headers = readUploadHeaders(request.headers);
        const upload = { ...headers, path, body: request.raw, requestId: request.id };
        const result = await uploads
          .receive({ ...upload, signal: whileAwaited(reply) })
          .catch((error: unknown) => {
            const { received, total } = stateOf(error);
            if (received !== undefined && total !== undefined) sendState(reply, { received, total });
            throw error;
          });
        sendState(reply, result).code(statusOf[result.outcome]);
        return toAnswer(result);
      },
    });
  });
}

/** Returns the path as sent by the client. @throws HubError camera_not_allowed */
function allowedPath(request: FastifyRequest<{ Params: { '*': string } }>): string {
  const path = request.params['*'];
  requireAllowedPath(request, pathInRecordings(path));
  return path;
}

/** Returns the state of the upload in an error. */
function stateOf(error: unknown): { received?: number; total?: number } {
  return error instanceof HubError && error.code === 'upload_offset_mismatch' ? (error.extra ?? {}) : {};
}

function sendState(reply: FastifyReply, { received, total }: UploadState): FastifyReply {
  reply.header('cache-control', 'no-store');
  reply.header('upload-offset', String(received));
  reply.header('upload-length', String(total));
  reply.header('upload-complete', received === total ? '?1' : '?0');
  if (received > 0 && received < total) reply.header('range', `bytes=0-${received - 1}`);
  return reply;
}

const toAnswer = ({ outcome, path, received, total }: UploadResult) => ({
  message: messageOf[outcome],
  path,
  created: outcome === 'created',
  received,
  total,
});
