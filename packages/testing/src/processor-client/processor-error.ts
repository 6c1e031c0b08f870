/** Thrown when the response of the hub has an error status. */
export class ProcessorResponseError extends Error {
  override readonly name = 'ProcessorResponseError';
  readonly status: number;
  /** The `code` of the error body; undefined when the body is not from the hub. */
  readonly code: string | undefined;

  constructor(route: string, status: number, code: string | undefined, body: string) {
    super(`${route} returned ${status}${code === undefined ? '' : ` ${code}`}: ${body.slice(0, 500)}`);
    this.status = status;
    this.code = code;
  }
}

/** Thrown when the hub did not respond (refused, reset, timed out); the `cause` is the reason. */
export class ProcessorNetworkError extends Error {
  override readonly name = 'ProcessorNetworkError';

  constructor(route: string, cause: unknown) {
    super(`${route} got no response: ${rootMessage(cause)}`, { cause });
  }
}

/** The message of `fetch` is always "fetch failed"; the reason is in its causes. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return rootMessage(error.cause);
  const code = 'code' in error ? String(error.code) : '';
  return error.message || code || error.name;
}
