import { type ErrorCode, errorCatalogue } from './error-catalogue.js';

/** One thing that is wrong with a request: a JSON Pointer into the body, or the name of a parameter. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

interface HubErrorOptions {
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly beside?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error class of the hub: the code says what it is, the catalogue how it is answered. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Whole seconds for the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;
  /** What the body says beside, where the contract names it. */
  readonly beside: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, options: HubErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.beside = options.beside;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /** The code as callers know it. */
  get wireCode(): string {
    return errorCatalogue[this.code].code ?? this.code;
  }
}

/** An `invalid_request` that names one field. */
export function invalidField(path: string, message: string): HubError {
  return new HubError('invalid_request', {
    message: `${path || 'body'}: ${message}`,
    details: [{ path, message }],
  });
}
