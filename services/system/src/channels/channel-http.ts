import { errorCode } from '@birdhub/shared/errors';
import { type AdmittedHost, RefusedAddressError, type ServiceGuard } from '@birdhub/shared/outgoing';
import { type Outcome, sendTimeoutMs, toFailedOutcome } from './channel.js';
import { say } from './delivery-failures.js';
import { NoResponseError, type OutgoingResponse, sendRequest } from './outgoing-requests.js';

/** A request of a channel. */
export interface ChannelRequest {
  readonly url: URL;
  readonly method?: 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends a request of a channel to an address that the guard admits. */
export type PostRequest = (request: ChannelRequest) => Promise<OutgoingResponse>;

/** Assumed upload rate on a slow line. */
const bytesPerSecond = 250_000;
const maxTimeoutMs = 90_000;

/** Returns the port of a URL, or the default one of its protocol. */
export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** Returns a function that sends requests. Redirects are not followed. */
export function createPostRequest(guard: Pick<ServiceGuard, 'admit'>): PostRequest {
  return async ({ url, method = 'POST', headers, body }) => {
    const { lookup } = await admit(guard, url.hostname, portOf(url));
    const timeoutMs = Math.min(sendTimeoutMs + (body.length / bytesPerSecond) * 1_000, maxTimeoutMs);
    return sendRequest({
      url,
      method,
      headers: { 'user-agent': 'birdhub', ...headers },
      body,
      timeoutMs: Math.round(timeoutMs),
      lookup,
    });
  };
}

/** Returns the outcome of work that sends requests, even without a response. */
export async function attempt(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    return toFailedOutcome(error);
  }
}

/** Resolves a host. @throws RefusedAddressError; NoResponseError for a name that cannot be resolved */
export async function admit(
  guard: Pick<ServiceGuard, 'admit'>,
  host: string,
  port: number,
): Promise<AdmittedHost> {
  try {
    return await guard.admit(host, port);
  } catch (error) {
    if (error instanceof RefusedAddressError) throw error;
    const code = errorCode(error) ?? 'no address';
    throw new NoResponseError(say('unreachable', { code }), false, { cause: error });
  }
}

/**
 * Returns an admitted address of a host, for libraries that connect themselves.
 * @throws RefusedAddressError, NoResponseError
 */
export async function admittedAddress(
  guard: Pick<ServiceGuard, 'admit'>,
  host: string,
  port: number,
): Promise<string> {
  const { lookup } = await admit(guard, host, port);
  return new Promise((resolve, reject) => {
    lookup(host, { all: false }, (error, found) => (error ? reject(error) : resolve(String(found))));
  });
}

/** Returns a JSON body and its headers. */
export function jsonBody(value: unknown): Pick<ChannelRequest, 'headers' | 'body'> {
  return {
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** Returns the body of a form, `multipart/form-data`, and its headers. */
export async function formBody(form: FormData): Promise<Pick<ChannelRequest, 'headers' | 'body'>> {
  const encoded = new Response(form);
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}

/** Returns a file for a form. */
export function toBlob({ content, type }: { readonly content: Buffer; readonly type: string }): Blob {
  return new Blob([new Uint8Array(content)], { type });
}
