import type { Tally } from './tally.js';

/** A hub that is loaded, and where what it takes is noted. */
export interface LoadedHub {
  readonly baseUrl: string;
  readonly tally: Tally;
}

/** A request. */
export interface Asked extends RequestInit {
  /** When it should have been sent, of `performance`; now when left out. */
  readonly sentAt?: number;
  /** The code of an error by which the hub says "not yet", which is no failure. */
  readonly notYet?: string;
}

/** An answer that was read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Asks the hub and notes how long that took, under a name; undefined when it failed, which is noted too. */
export async function ask(
  { baseUrl, tally }: LoadedHub,
  what: string,
  path: string,
  { sentAt = performance.now(), notYet, ...init }: Asked = {},
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${baseUrl}${path}`, init);
    const text = await response.text();
    tally.note(what, performance.now() - sentAt);
    if (response.ok || response.status === 304)
      return { status: response.status, headers: response.headers, text };
    if (notYet !== undefined && JSON.parse(text).code === notYet) return undefined;
    tally.fail(what, `${path} was answered with ${response.status}: ${text.slice(0, 200)}`);
  } catch (error) {
    const cause = error instanceof Error && error.cause ? ` (${error.cause})` : '';
    tally.fail(what, `${path}: ${error}${cause}`);
  }
  return undefined;
}
