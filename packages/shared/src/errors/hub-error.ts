import { type Static, Type } from 'typebox';
import { type ErrorCode, errorCatalogue } from './error-catalogue.js';

/** An invalid field of a request: a JSON Pointer into the body, or the name of a parameter. */
export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
  /** Code of the problem, for translation by pages; undefined for problems that no form can cause. */
  readonly code?: string;
  /** The values of the placeholders in the message. */
  readonly values?: Readonly<Record<string, string | number>>;
}

interface HubErrorOptions {
  readonly message?: string;
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The error class of the hub; the catalogue maps its code to status and message. */
export class HubError extends Error {
  override readonly name = 'HubError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  /** Whole seconds for the `Retry-After` header. */
  readonly retryAfterSeconds: number | undefined;
  /** Further properties of the response body, as declared by the contract. */
  readonly extra: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, options: HubErrorOptions = {}) {
    super(options.message ?? errorCatalogue[code].message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.extra = options.extra;
  }

  /** The HTTP status of the code. */
  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /** The code in the response. */
  get wireCode(): string {
    return errorCatalogue[this.code].code ?? this.code;
  }
}

/** Returns an `invalid_request` that names one field. */
export function invalidField(path: string, message: string): HubError {
  return new HubError('invalid_request', {
    message: `${path || 'body'}: ${message}`,
    details: [{ path, message }],
  });
}

/** Properties beside an English message for its translation. */
export const translation = {
  code: Type.Optional(
    Type.String({ description: 'Code of the problem, for translation; not always present' }),
  ),
  values: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'Values contained in the message, by the placeholder names used in translations',
    }),
  ),
};

/** An invalid field in responses. */
export const ErrorDetailSchema = Type.Object({
  path: Type.String({
    description: 'JSON Pointer into the body, or the name of a parameter; empty for the whole body',
  }),
  message: Type.String({ description: 'Human-readable description of the problem' }),
  ...translation,
});

/** The body of every response with a status of 400 or more. */
export const ErrorBodySchema = Type.Object(
  {
    error: Type.String({ description: 'Human-readable error message' }),
    code: Type.String({ description: 'Stable error code, for programs' }),
    request_id: Type.String({ description: 'Id of the request, as in `X-Request-Id` and in the logs' }),
    details: Type.Optional(
      Type.Array(ErrorDetailSchema, { description: 'The invalid fields or parameters' }),
    ),
  },
  { $id: 'Error', additionalProperties: true },
);

/** The shape of {@link ErrorBodySchema}. */
export type ErrorBody = Static<typeof ErrorBodySchema>;

/** Returns the response body of an error. */
export function toErrorBody(error: HubError, requestId: string): ErrorBody {
  // Front ends of bird feeders read `ok` in the response to a password.
  const ok = error.code === 'wrong_password' && { ok: false };
  const body = { ...ok, ...error.extra, error: error.message, code: error.wireCode, request_id: requestId };
  return error.details === undefined ? body : { ...body, details: error.details.map(shownDetail) };
}

/** Returns a detail as responses contain it. */
export function shownDetail({ values, ...detail }: ErrorDetail) {
  return { ...detail, ...(values && { values: { ...values } }) };
}
