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
  summary: 'Get the progress of an upload',
  description:
    'The response headers are `Upload-Offset` (stored bytes), `Upload-Length` (size of the file) and ' +
    '`Upload-Complete` (`?1` or `?0`). Returns 404 when nothing of the file is stored.',
  tags: ['processor'],
  security: access.processor,
  response: {
    200: {
      type: 'null',
      description: 'The file is stored completely or partly; the headers contain the progress',
    },
  },
};

const uploadSchema = {
  operationId: 'uploadMedia',
  summary: 'Store the file of a recording',
  description:
    'The body is the whole file, or a part of it with `Content-Range`, and is stored as it arrives. The ' +
    'file appears under its name when it is complete, and is never replaced: uploading the same file again ' +
    'returns 200, a different file with the same name returns 409. Accepts the video, audio and picture ' +
    'formats that the hub serves, checked by name and first bytes, with a maximum size of `MAX_UPLOAD_MB`. ' +
    'The recording may be posted before or after the upload. An access token that is limited to cameras ' +
    'can only upload into folders named after the ids of its cameras.',
  tags: ['processor'],
  security: access.processor,
  headers: UploadHeadersSchema,
  body: {
    content: {
      'application/octet-stream': {
        schema: {
          type: 'string',
          format: 'binary',
          description: 'Bytes of the file; any `Content-Type` is accepted',
        },
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
        return toResponse(result);
      },
    });
  });
}

/** Returns the path as sent by the client, if its token may write there. @throws HubError camera_not_allowed */
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

const toResponse = ({ outcome, path, received, total }: UploadResult) => ({
  message: messageOf[outcome],
  path,
  created: outcome === 'created',
  received,
  total,
});
