import type { ClientRequest, IncomingMessage } from 'node:http';

/** Thrown when a request ends without a response. */
class MissingResponseError extends Error {
  override readonly name = 'MissingResponseError';
  /** In the style of the codes of Node. */
  readonly code: 'ECONNRESET' | 'UNEXPECTED_UPGRADE';

  constructor(message: string, code: MissingResponseError['code']) {
    super(message);
    this.code = code;
  }
}

/**
 * Resolves with the response to a request, or rejects with its error. A switch to another protocol, which Node reports
 * by closing the request without an error, is a failure too. Errors of the request after that are ignored.
 * @throws MissingResponseError, the error of the request
 */
export function awaitResponse(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new MissingResponseError('the server switches to another protocol', 'UNEXPECTED_UPGRADE'));
    });
    request.on('error', reject);
    request.once('close', () =>
      reject(new MissingResponseError('the request ended without a response', 'ECONNRESET')),
    );
  });
}
