import { OutsideError } from './outside-error.js';

/** What is asked of a service outside. Keys travel in the query or in headers. */
export interface OutsideRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Not followed unless said so: they would carry keys elsewhere. */
  readonly followsRedirects?: boolean;
}

/** How long and how much is taken. */
export interface FetchLimits {
  /** From the first packet to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Of the unpacked answer. */
  readonly mostBytes: number;
}

const notFound = 404;
const tooManyRequests = 429;

/** Errors of `fetch` may quote the address with its query, so only their code is told. */
function reasonOf(error: unknown, { timeoutMs }: FetchLimits): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `took longer than ${timeoutMs} ms`;
  const { code = error.name } = (error.cause ?? {}) as { code?: string };
  return `is not reachable (${code})`;
}

async function readText(response: Response, where: string, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new OutsideError(`${where} answered more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function refuse({ status, body }: Response, where: string): Promise<never> {
  await body?.cancel();
  const isRefusal = status >= 400 && status < 500 && status !== tooManyRequests;
  throw new OutsideError(`${where} answered ${status}`, { isRefusal, isMissing: status === notFound });
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OutsideError(`${where} answered no JSON`);
  }
}

/**
 * The JSON that a service outside answers.
 * @throws OutsideError when it is late, large, not reachable, not JSON, or not 2xx
 */
export async function fetchJson(
  { url, headers, followsRedirects = false }: OutsideRequest,
  userAgent: string,
  limits: FetchLimits,
): Promise<unknown> {
  const where = `${url.host}${url.pathname}`;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      redirect: followsRedirects ? 'follow' : 'manual',
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    if (!response.ok) return await refuse(response, where);
    return parse(await readText(response, where, limits.mostBytes), where);
  } catch (error) {
    if (error instanceof OutsideError) throw error;
    throw new OutsideError(`${where} ${reasonOf(error, limits)}`);
  }
}
