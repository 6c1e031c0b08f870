import type { Tally } from './tally.js';

/** A loaded hub, and the tally of its latencies and failures. */
export interface LoadedHub {
  readonly baseUrl: string;
  readonly tally: Tally;
}

/** A request. */
export interface Asked extends RequestInit {
  /** When it was due, in `performance` time. Default now. */
  readonly sentAt?: number;
  /** The code of an error that means "not yet" and is not a failure. */
  readonly notYet?: string;
}

/** A complete response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request to the hub and tallies its latency under a name; returns undefined for a failure, also tallied. */
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
