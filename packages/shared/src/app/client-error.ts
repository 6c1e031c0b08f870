import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HubError, toErrorBody } from '../errors/index.js';
import { requestIdOf } from './request-id.js';

/** An error that Node found in what a client sent. */
export type ClientError = Error & { readonly code?: string };

/** Time for a client to read why it is hung up on. */
const lingerMs = 1_000;

const invalid = (status: number) =>
  ({ status, error: new HubError('invalid_request', { message: STATUS_CODES[status] ?? '' }) }) as const;

function refusalOf({ code }: ClientError): { readonly status: number; readonly error: HubError } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, error: new HubError('request_timeout') };
  return invalid(code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
}

/** Writes a last answer without a request and closes the connection, whether or not the client does. */
export function answerClientError(cause: ClientError, socket: Socket): void {
  if (cause.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, error } = refusalOf(cause);
  const requestId = requestIdOf({});
  const body = JSON.stringify(toErrorBody(error, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const lingering = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(lingering));
}
