import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HubError, toErrorBody } from '../errors/index.js';
import { requestIdOf } from './request-id.js';

const statusByCode: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what is no HTTP request, or none in time, with the error body, and hangs up. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statusByCode[error.code ?? ''] ?? 400;
  const message = STATUS_CODES[status] ?? 'Bad Request';
  const requestId = requestIdOf({});
  const body = JSON.stringify(toErrorBody(new HubError('invalid_request', { message }), requestId));
  const head = [
    `HTTP/1.1 ${status} ${message}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
