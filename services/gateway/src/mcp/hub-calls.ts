import { type HubLanguage, speciesNameIn } from '@birdhub/domain/language';
import type { HubApp } from '@birdhub/shared/app';
import { formatOffset, localDay, offsetMs } from '@birdhub/shared/time';

/** A request of the hub that failed, in words for people. */
export class HubCallError extends Error {}

/** A picture or a sound. */
export interface Medium {
  readonly mimeType: string;
  readonly base64: string;
}

/** Who calls, and from where. */
export interface HubCaller {
  readonly authorization: string;
  /** The language that the hub itself writes in. */
  readonly language: HubLanguage;
  readonly address: string;
  /** The address of the hub as the caller reaches it, without a slash at its end. */
  readonly publicUrl: string;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The routes of the hub, called as the caller would call them: the same access rules, limits and responses. Requests stay within
 * the process.
 */
export class HubCalls {
  readonly #app: HubApp;
  readonly #basePath: string;
  readonly #caller: HubCaller;
  #zone: Promise<string> | undefined;

  constructor(app: HubApp, basePath: string, caller: HubCaller) {
    this.#app = app;
    this.#basePath = basePath;
    this.#caller = caller;
  }

  /** Returns the JSON of a read. @throws HubCallError */
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what each route returns; its tests hold it.
  async get(path: string, query: Query = {}): Promise<any> {
    return JSON.parse((await this.#send('GET', withQuery(path, query))).toString());
  }

  /** Returns a page of a list and the cursor of the next one; null at the end. @throws HubCallError */
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

  /** Returns a picture or sound of at most so many bytes; undefined when it is longer. @throws HubCallError */
  async medium(path: string, maxBytes: number, query: Query = {}): Promise<Medium | undefined> {
    // Of a long recording only so much is read; pictures come whole and are short.
    const range = `bytes=0-${maxBytes}`;
    const { statusCode, headers, rawPayload } = await this.#request('GET', withQuery(path, query), { range });
    if (statusCode >= 400) throw toError(rawPayload);
    if (rawPayload.length > maxBytes) return undefined;
    const mimeType = String(headers['content-type'] ?? 'application/octet-stream').split(';', 1)[0] ?? '';
    return { mimeType, base64: rawPayload.toString('base64') };
  }

  /** The address of a route as the caller reaches it. */
  link(path: string, query: Query = {}): string {
    return this.#caller.publicUrl + withQuery(path, query);
  }

  /** The language that the hub itself writes in. */
  get language(): HubLanguage {
    return this.#caller.language;
  }

  /** The name of a species in the hub's language; as it is stored where the catalogue has none. */
  nameOf(species: string): string {
    return speciesNameIn(this.language, species);
  }

  /** The day that it is in the hub's zone. */
  async today(): Promise<string> {
    return localDay(await this.zone(), Date.now());
  }

  /** The hub's zone. */
  zone(): Promise<string> {
    this.#zone ??= this.get('/api/ui/status').then(({ timezone }) => String(timezone));
    return this.#zone;
  }

  /** An instant in the hub's zone with its offset, to the second. */
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
    const { authorization, address } = this.#caller;
    return this.#app.inject({
      method,
      url: this.#basePath + path,
      remoteAddress: address,
      headers: { ...more, authorization, host: new URL(this.#caller.publicUrl).host },
      ...(body && { payload: body }),
    });
  }
}

/** An instant in a zone with its offset, to the second. */
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
    // A response that is no JSON has no words for people.
  }
  return new HubCallError('The hub could not answer this.');
}
