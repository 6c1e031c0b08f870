import type { components } from './schema';

type ErrorBody = components['schemas']['Error'];

/** What went wrong with a call, as the hub said it. `status` is 0 when the hub was not reached. */
export class Problem extends Error {
  readonly status: number;
  /** Stable, in snake_case; `unreachable` when there was no answer, `unexpected` when it was not the hub's. */
  readonly code: string;
  readonly details: NonNullable<ErrorBody['details']>;
  readonly requestId: string | undefined;
  /** When the hub asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: Partial<ErrorBody>, retryAfterSeconds?: number) {
    super(body.error ?? '');
    this.name = 'Problem';
    this.status = status;
    this.code = body.code ?? (status === 0 ? 'unreachable' : 'unexpected');
    this.details = body.details ?? [];
    this.requestId = body.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'code' in value && 'error' in value;
}

/** The problem that an answer with a status of 400 or more tells of. */
export function toProblem(response: Response, body: unknown): Problem {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new Problem(
    response.status,
    isErrorBody(body) ? body : {},
    Number.isNaN(seconds) ? undefined : seconds,
  );
}
