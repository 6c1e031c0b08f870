import type { TFunction } from 'i18next';
import type { components } from './schema';

type ErrorBody = components['schemas']['Error'];

/** An error response of the hub. `status` is 0 when the hub was not reached. */
export class Problem extends Error {
  readonly status: number;
  /** Stable code in snake_case; `unreachable` without a response, `unexpected` when the body is not the hub's. */
  readonly code: string;
  readonly details: NonNullable<ErrorBody['details']>;
  readonly requestId: string | undefined;
  /** From the `Retry-After` header. */
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

/** Converts a response with a status of 400 or more. */
export function toProblem(response: Response, body: unknown): Problem {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new Problem(
    response.status,
    isErrorBody(body) ? body : {},
    Number.isNaN(seconds) ? undefined : seconds,
  );
}

const textKeys = {
  unreachable: 'unreachable',
  wrong_password: 'wrong_password',
  too_many_attempts: 'too_many_attempts',
  unlock_required: 'locked',
  admin_required: 'locked',
  csrf_rejected: 'csrf_rejected',
  storage_full: 'storage_full',
  starting: 'starting',
  overloaded: 'starting',
  busy: 'starting',
  upstream_unavailable: 'part_down',
  upstream_timeout: 'part_down',
  media_pending: 'media_pending',
  media_missing: 'media_missing',
  media_purged: 'media_purged',
  recording_deleted: 'recording_deleted',
} as const;

const isKnown = (code: string): code is keyof typeof textKeys => code in textKeys;

/** Returns a translated message with advice, or the hub's own message for codes without a text. */
// biome-ignore lint/suspicious/noExplicitAny: texts of any namespace reach the one named here.
export function problemText(t: TFunction<any>, error: Error): string {
  const say = t as unknown as TFunction<'components'>;
  if (!(error instanceof Problem)) return say('unexpected', { ns: 'components' });
  if (isKnown(error.code)) {
    return say(textKeys[error.code], { ns: 'components', seconds: error.retryAfterSeconds ?? 10 });
  }
  return error.message === '' ? say('unexpected', { ns: 'components' }) : error.message;
}
