/** The response of the hub is not a success. */
export class ProcessorAnswerError extends Error {
  override readonly name = 'ProcessorAnswerError';
  readonly status: number;
  /** The `code` of the error body, undefined when the body is not the hub's. */
  readonly code: string | undefined;

  constructor(route: string, status: number, code: string | undefined, body: string) {
    super(`${route} answered ${status}${code === undefined ? '' : ` ${code}`}: ${body.slice(0, 500)}`);
    this.status = status;
    this.code = code;
  }
}

/** The hub did not answer: refused, reset, timed out. The reason is the `cause`. */
export class ProcessorNetworkError extends Error {
  override readonly name = 'ProcessorNetworkError';

  constructor(route: string, cause: unknown) {
    super(`${route} got no answer: ${rootMessage(cause)}`, { cause });
  }
}

/** `fetch` says only "fetch failed"; what happened stands in its causes. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return rootMessage(error.cause);
  const code = 'code' in error ? String(error.code) : '';
  return error.message || code || error.name;
}
