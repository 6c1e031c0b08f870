import type { Settings } from '@birdhub/domain/settings';
import type pg from 'pg';
import { RefusedAddressError } from '../outgoing/outgoing-guard.js';
import { NoResponseError, type OutgoingResponse } from '../outgoing/send-request.js';

/** A notification's content. Addresses are absolute, or root-relative where the settings have no address of the hub. */
export interface Message {
  /** Unique and permanent, such as `visit:12`. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** Messages with the same tag replace each other in a browser. */
  readonly tag: string;
  readonly url: string;
  readonly visitId: number | null;
  /** Picture of the species. */
  readonly icon: string | null;
  /** Picture of this bird. */
  readonly image: string | null;
  /** The detection notice that came with a picture. */
  readonly noticeId: string | null;
}

export const channelNames = ['web_push', 'webhook', 'telegram'] as const;

export type ChannelName = (typeof channelNames)[number];

/** The result of an attempt; after `retry` nothing has arrived, so another attempt is safe. */
export interface Outcome {
  readonly state: 'sent' | 'failed' | 'gone' | 'retry';
  /** Without secrets; null when it was sent. */
  readonly error: string | null;
  /** Value of `Retry-After`: seconds or an HTTP date. */
  readonly retryAfter?: string | undefined;
}

/** A way to send notifications. */
export interface Channel {
  /** Returns the recipients: one empty name for channels with a single one, none when it is not configured. */
  targets(settings: Settings, client: Pick<pg.ClientBase, 'query'>): Promise<readonly string[]>;
  /** Makes one attempt; the message expires after `ttlSeconds`. */
  send(message: Message, target: string, ttlSeconds: number): Promise<Outcome>;
}

export type Channels = Readonly<Record<ChannelName, Channel>>;

/** How long a service may take for one message. */
export const sendTimeoutMs = 10_000;

const tooManyRequests = 429;

/** Returns the outcome for a response: 429 and 5xx may be retried. */
export function toOutcome({ status, retryAfter }: OutgoingResponse): Outcome {
  if (status >= 200 && status < 300) return { state: 'sent', error: null };
  const error = `answered ${status}`;
  if (status === tooManyRequests || status >= 500) return { state: 'retry', error, retryAfter };
  return { state: 'failed', error };
}

/**
 * Returns the outcome for a request without a response. Once connected, the message may have arrived and is not sent
 * again: a duplicate is worse than a loss.
 */
export function toFailedOutcome(error: unknown): Outcome {
  if (error instanceof RefusedAddressError) return { state: 'failed', error: error.message };
  if (!(error instanceof NoResponseError)) throw error;
  const isFinal = error.mayHaveArrived || error.cause instanceof RefusedAddressError;
  return { state: isFinal ? 'failed' : 'retry', error: error.message };
}
