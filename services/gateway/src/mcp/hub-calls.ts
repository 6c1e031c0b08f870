import type { IncomingHttpHeaders } from 'node:http';
import { type HubLanguage, speciesNameIn } from '@birdhub/domain/language';
import type { HubApp } from '@birdhub/shared/app';
import { type Clock, formatOffset, localDay, offsetMs } from '@birdhub/shared/time';
import pLimit from 'p-limit';

/** A failed request to the hub, with a message for people. */
export class HubCallError extends Error {}

/** The content of a picture or a sound. */
export interface MediaContent {
  readonly mimeType: string;
  readonly base64: string;
}

/** The caller of a tool. */
export interface HubCaller {
  readonly authorization: string;
  /** The language of texts that the hub generates. */
  readonly language: HubLanguage;
  /** The address of the peer, which may be a proxy, and the headers that name the client and the public address. */
  readonly peer: string | undefined;
  readonly forwarded: IncomingHttpHeaders;
  /** The public URL of the hub, without a trailing slash. */
  readonly publicUrl: string;
}

/** Maximum concurrent requests for a request of an assistant; a page of a list needs up to a hundred. */
const maxConcurrent = 8;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Calls the routes of the hub on behalf of the caller, with the same access rules, limits and responses. Requests stay
 * within the process.
 */
export class HubCalls {
  readonly #app: HubApp;
  readonly #basePath: string;
  readonly #caller: HubCaller;
  readonly #clock: Clock;
  readonly #limit = pLimit(maxConcurrent);
  #zone: Promise<string> | undefined;

  constructor(app: HubApp, basePath: string, caller: HubCaller, clock: Clock) {
    this.#app = app;
    this.#basePath = basePath;
    this.#caller = caller;
    this.#clock = clock;
  }

  /** Returns the JSON of a read. @throws HubCallError */
  // biome-ignore lint/suspicious/noExplicitAny: responses are typed by the contract, which is tested.
  async get(path: string, query: Query = {}): Promise<any> {
    return JSON.parse((await this.#send('GET', withQuery(path, query))).toString());
  }

  /** Returns a page of a list and the cursor of the next one, null at the end. @throws HubCallError */
  async page(path: string, query: Query): Promise<{ items: readonly unknown[]; next: string | null }> {
    const { statusCode, headers, rawPayload } = await this.#request('GET', withQuery(path, query), {});
    if (statusCode >= 400) throw toError(rawPayload);
    const [, link] = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? '')) ?? [];
    const next = link === undefined ? null : new URL(link, this.#caller.publicUrl).searchParams.get('cursor');
    return { items: JSON.parse(rawPayload.toString()), next };
  }

  /** Sends a change and returns its JSON. @throws HubCallError */
  // biome-ignore lint/suspicious/noExplicitAny: see get.
  async send(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<any> {
    const text = (await this.#send(method, path, body)).toString();
    return text === '' ? {} : JSON.parse(text);
  }

  /** Returns a picture or sound of at most `maxBytes`; undefined when it is larger. @throws HubCallError */
  async media(path: string, maxBytes: number, query: Query = {}): Promise<MediaContent | undefined> {
    // Limits how much of a long recording is read; pictures are sent in full.
    const range = `bytes=0-${maxBytes}`;
    const { statusCode, headers, rawPayload } = await this.#request('GET', withQuery(path, query), { range });
    if (statusCode >= 400) throw toError(rawPayload);
    if (rawPayload.length > maxBytes) return undefined;
    const mimeType = String(headers['content-type'] ?? 'application/octet-stream').split(';', 1)[0] ?? '';
    return { mimeType, base64: rawPayload.toString('base64') };
  }

  /** Returns the public URL of a route. */
  link(path: string, query: Query = {}): string {
    return this.#caller.publicUrl + withQuery(path, query);
  }

  /** The language of texts that the hub generates. */
  get language(): HubLanguage {
    return this.#caller.language;
  }

  /** Returns the name of a species in the hub's language; the stored name when the catalogue has no translation. */
  nameOf(species: string): string {
    return speciesNameIn(this.language, species);
  }

  /** Returns the current day in the hub's zone. */
  async today(): Promise<string> {
    return localDay(await this.zone(), this.#clock.now());
  }

  /** The hub's zone. */
  zone(): Promise<string> {
    this.#zone ??= this.get('/api/ui/status').then(({ timezone }) => String(timezone));
    return this.#zone;
  }

  /** Formats an instant in the hub's zone with its offset, to the second. */
  async local(instant: string): Promise<string> {
    return timeWithOffset(instant, await this.zone());
  }

  async #send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<Buffer> {
    const response = await this.#request(method, path, {}, body);
    if (response.statusCode >= 400) throw toError(response.rawPayload);
    return response.rawPayload;
  }

  #request(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    more: Readonly<Record<string, string>>,
    body?: object,
  ) {
    const { authorization, peer, forwarded } = this.#caller;
    return this.#limit(() =>
      this.#app.inject({
        method,
        url: this.#basePath + path,
        ...(peer !== undefined && { remoteAddress: peer }),
        headers: { ...forwarded, ...more, authorization },
        ...(body && { payload: body }),
      }),
    );
  }
}

/** Formats an instant in a zone with its offset, to the second. */
function timeWithOffset(instant: string, zone: string): string {
  const at = Date.parse(instant);
  const offset = offsetMs(zone, at);
  return `${new Date(at + offset).toISOString().slice(0, 19)}${formatOffset(offset)}`;
}

function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (!given.length) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function toError(payload: Buffer): HubCallError {
  try {
    const { error } = JSON.parse(payload.toString()) as { error?: unknown };
    if (typeof error === 'string') return new HubCallError(error);
  } catch {
    // A response that is not JSON has no message.
  }
  return new HubCallError('The hub could not process this request.');
}
