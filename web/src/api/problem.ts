import type { i18n, TFunction } from 'i18next';
import { getI18n } from 'react-i18next';
import { errorTextKey, isCommon, textKeys } from './problem-codes';
import type { components } from './schema';

type ErrorBody = components['schemas']['Error'];
type Detail = NonNullable<ErrorBody['details']>[number];

/** An error response of the hub. `status` is 0 when the hub was not reached. */
export class Problem extends Error {
  readonly status: number;
  /** Stable code in snake_case; `unreachable` without a response, `unexpected` when the body is not the hub's. */
  readonly code: string;
  readonly details: readonly Detail[];
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

/** Converts an error response (status 400 or more); its messages are translated where a translation exists. */
export async function toProblem(response: Response, body: unknown): Promise<Problem> {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new Problem(
    response.status,
    isErrorBody(body) ? await translate(body) : {},
    Number.isNaN(seconds) ? undefined : seconds,
  );
}

/** Reads the error of a response (status 400 or more). */
export async function readProblem(response: Response): Promise<Problem> {
  return toProblem(response, await response.json().catch(() => undefined));
}

/** Translates the messages of less common errors; their texts are loaded with the first such error. */
async function translate(body: ErrorBody): Promise<ErrorBody> {
  if (isCommon(body.code)) return body;
  // Undefined before i18n is initialised.
  const texts = getI18n() as i18n | undefined;
  await texts?.loadNamespaces('api');
  const t = texts?.getFixedT(null, 'api') as
    | ((key: string, options: Readonly<Record<string, string | number>>) => string)
    | undefined;
  const textOf = (key: string, english: string, values: Detail['values'] = {}): string =>
    t?.(key, { ...values, defaultValue: english }) ?? english;
  const details = body.details?.map((detail) => ({
    ...detail,
    message: textOf(`refused.${detail.code}`, detail.message, detail.values),
  }));
  const first = details?.[0]?.message;
  const error =
    body.code === 'conflict' && first !== undefined
      ? first
      : textOf(`error.${errorTextKey(body.code)}`, body.error, { message: first ?? body.error });
  return { ...body, error, ...(details && { details }) };
}

/** Returns a translated message with advice, or the hub's own message for codes without a text. */
// biome-ignore lint/suspicious/noExplicitAny: the key names its namespace, so `t` of any namespace works.
export function problemText(t: TFunction<any>, error: Error): string {
  const textOf = t as unknown as TFunction<'components'>;
  if (!(error instanceof Problem)) return textOf('unexpected', { ns: 'components' });
  if (isCommon(error.code)) {
    return textOf(textKeys[error.code], { ns: 'components', seconds: error.retryAfterSeconds ?? 10 });
  }
  return error.message === '' ? textOf('unexpected', { ns: 'components' }) : error.message;
}
