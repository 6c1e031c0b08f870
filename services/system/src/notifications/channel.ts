import type { Settings } from '@birdhub/domain/settings';
import type pg from 'pg';

/** What people are told; addresses are whole, or root-relative where the settings name no address of the hub. */
export interface Message {
  /** Names the message for ever, such as `visit:12`. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** Messages of one tag replace each other in a browser. */
  readonly tag: string;
  readonly url: string;
  readonly visitId: number | null;
  /** Picture of the species. */
  readonly icon: string | null;
  /** Picture of this bird. */
  readonly image: string | null;
  /** The announcement whose picture the processor sent along. */
  readonly noticeId: string | null;
}

export const channelNames = ['web_push', 'webhook', 'telegram'] as const;

export type ChannelName = (typeof channelNames)[number];

/** What became of an attempt; after `retry` another one is safe, as nothing has arrived. */
export interface Outcome {
  readonly state: 'sent' | 'failed' | 'gone' | 'retry';
  /** In words without secrets; null when it was sent. */
  readonly error: string | null;
  /** As the service said it, in seconds or as a date of HTTP. */
  readonly retryAfter?: string | undefined;
}

/** A way to tell people. */
export interface Channel {
  /** Whom it reaches by these settings; one empty name where there is but one, none when it is not configured. */
  targets(settings: Settings, client: Pick<pg.ClientBase, 'query'>): Promise<readonly string[]>;
  /** Makes one attempt; `ttlSeconds` later the message is of no use. */
  send(message: Message, target: string, ttlSeconds: number): Promise<Outcome>;
}

export type Channels = Readonly<Record<ChannelName, Channel>>;

/** How long a service may take for one message. */
export const sendTimeoutMs = 10_000;
