import { type ErrorDetail, refuse } from '@birdhub/shared/errors';
import { RefusedAddressError } from '@birdhub/shared/outgoing';
import type pg from 'pg';
import type { Static, TObject } from 'typebox';
import { NoResponseError, type OutgoingResponse } from '../outgoing/outgoing-requests.js';

/** What messages may be about. */
export type MessageKind = 'bird' | 'correction' | 'hub' | 'digest' | 'test';

/**
 * A notification's content, as it is stored. Title and body are plain text of any content: channels escape them.
 * Addresses are absolute, or root-relative where the settings have no address of the hub.
 */
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
  readonly kind?: MessageKind;
  /** The rule that it was sent by. */
  readonly ruleId?: number | null;
  /** Short words for channels that show some, such as `first_ever`. */
  readonly tags?: readonly string[];
  /** Address of the recording's file. */
  readonly clip?: string | null;
  /** The recording and the detection whose picture goes with it; those of the visit when not set. */
  readonly videoId?: number | null;
  readonly detectionId?: number | null;
  readonly camera?: string | null;
  readonly species?: string | null;
}

/** A file that goes with a message. */
export interface Attachment {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly content: Buffer;
}

/** The result of an attempt; after `retry` nothing has arrived, so another attempt is safe. */
export interface Outcome {
  readonly state: 'sent' | 'failed' | 'gone' | 'retry';
  /** Without secrets; null when it was sent. */
  readonly error: string | null;
  /** Value of `Retry-After`: seconds or an HTTP date. */
  readonly retryAfter?: string | undefined;
}

/** One message on its way to one recipient. */
export interface Shipment<Options = unknown> {
  readonly message: Message;
  /** A recipient of the channel; empty for channels with a single one. */
  readonly target: string;
  /** After this time the message is too old. */
  readonly ttlSeconds: number;
  readonly options: Options;
  /** Secrets by name. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly picture: Attachment | undefined;
  readonly clip: Attachment | undefined;
  readonly attachments: readonly Attachment[];
}

/** What a channel carries beside text; what it cannot carry is not loaded. */
export interface ChannelMedia {
  readonly maxPictureBytes?: number;
  readonly maxClipBytes?: number;
  readonly maxAttachmentBytes?: number;
}

/** A kind of channel: what people set of it, and how it sends. */
export interface ChannelKind<T extends TObject = TObject> {
  readonly options: T;
  /** Names of its secrets. */
  readonly secrets: readonly string[];
  media(options: Static<T>): ChannelMedia;
  /** Returns what the schema of the options cannot say, with pointers such as `/options/url`. */
  check(options: Static<T>, secrets: Readonly<Record<string, string>>): readonly ErrorDetail[];
  /** Returns where the secrets are sent to: a stored secret does not follow to another address. */
  addressOf(options: Static<T>): string;
  /** Returns the recipients; one empty name when not set. */
  targets?(client: Pick<pg.ClientBase, 'query'>): Promise<readonly string[]>;
  /** Makes one attempt. */
  send(shipment: Shipment<Static<T>>): Promise<Outcome>;
}

/** How long a service may take for one message without files. */
export const sendTimeoutMs = 10_000;

const tooManyRequests = 429;

/** Returns the outcome for a response: 429 and 5xx may be retried. */
export function toOutcome({ status, retryAfter }: Pick<OutgoingResponse, 'status' | 'retryAfter'>): Outcome {
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

/** Adds what a service says of an error, in one line of limited length. */
export function withReason(outcome: Outcome, reason: unknown): Outcome {
  if (!outcome.error || typeof reason !== 'string' || !reason) return outcome;
  return { ...outcome, error: `${outcome.error}: ${oneLine(reason).slice(0, 200)}` };
}

/** Returns a text in one line without control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Returns the object that a text has as JSON; an empty one when it has none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** Returns an address that is of use outside the hub; undefined for one that is relative to it. */
export function absoluteUrl(url: string | null | undefined): string | undefined {
  return url && /^https?:\/\//.test(url) ? url : undefined;
}

/** Returns the mistake in an address that people enter, if there is one. */
export function checkAddress(url: string, path: string): ErrorDetail[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return [refuse(path, 'web_address')];
  if (parsed.username || parsed.password) return [refuse(path, 'address_login')];
  return [];
}

/** Returns the origin of an address, or the text itself when it is none. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Returns the mistakes of secrets that must be there. */
export function requireSecrets(
  secrets: Readonly<Record<string, string>>,
  names: readonly string[],
): ErrorDetail[] {
  return names.filter((name) => !secrets[name]).map((name) => refuse(`/secrets/${name}`, 'required'));
}
