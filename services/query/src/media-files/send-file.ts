import type { IncomingHttpHeaders } from 'node:http';
import type { MediaFile } from '@birdhub/domain/media';
import { isUnmodified } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The headers of a file. */
export interface FileHeaders {
  readonly type: string;
  readonly cacheControl: string;
  readonly disposition?: string;
}

const chunkBytes = 256 * 1024;

async function sendWithoutBody(
  { handle }: MediaFile,
  reply: FastifyReply,
  status: number,
): Promise<FastifyReply> {
  await handle.close();
  return reply.code(status).send();
}

/** Sends bytes of the file, which is closed when the stream ends, fails, or the client disconnects. */
function sendBytes({ handle }: MediaFile, reply: FastifyReply, first: number, last: number): FastifyReply {
  const bytes = handle.createReadStream({ start: first, end: last, highWaterMark: chunkBytes });
  return reply.header('content-length', last - first + 1).send(bytes);
}

async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  file: MediaFile,
): Promise<FastifyReply> {
  const { size } = file;
  // Ranges are only defined for GET.
  if (request.method === 'HEAD') return sendWithoutBody(file, reply.header('content-length', size), 200);
  const range = isRangeApplicable(request.headers, file) ? readRange(request.headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`).removeHeader('content-disposition');
    throw new HubError('range_not_satisfiable');
  }
  if (size === 0) return sendWithoutBody(file, reply.header('content-length', 0), 200);
  if (!range) return sendBytes(file, reply, 0, size - 1);
  reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`);
  return sendBytes(file, reply, range.first, range.last);
}

/**
 * Sends an open file, or the requested range of it, and closes it.
 * @throws HubError range_not_satisfiable
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: MediaFile,
  { type, cacheControl, disposition }: FileHeaders,
): Promise<FastifyReply> {
  try {
    reply.headers({ etag: file.etag, 'cache-control': cacheControl, 'accept-ranges': 'bytes' });
    reply.header('last-modified', new Date(file.modifiedMs).toUTCString());
    if (isUnmodified(request, reply)) return await sendWithoutBody(file, reply, 304);
    reply.type(type).header('x-content-type-options', 'nosniff');
    if (disposition !== undefined) reply.header('content-disposition', disposition);
    return await sendContent(request, reply, file);
  } catch (error) {
    await file.handle.close();
    throw error;
  }
}

/** The validators of RFC 9110 §13. */
export interface Validators {
  readonly etag: string;
  readonly modifiedMs: number;
}

const toSeconds = (ms: number) => Math.floor(ms / 1000);

/** Whether a `Range` applies: `If-Range` matches this file (RFC 9110 §13.1.5). */
export function isRangeApplicable(headers: IncomingHttpHeaders, { etag, modifiedMs }: Validators): boolean {
  const condition = headers['if-range'];
  if (typeof condition !== 'string') return true;
  if (condition.includes('"')) return condition.trim() === etag;
  return toSeconds(Date.parse(condition)) === toSeconds(modifiedMs);
}

/** A part of a file; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const singleRange = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Parses a `Range` header (RFC 9110 §14). Returns undefined when the entire file is to be sent: without a header, with
 * an invalid one, or with several ranges, which a server may ignore.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from, to] = singleRange.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || from + to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= size ? 'unsatisfiable' : { first, last };
}
