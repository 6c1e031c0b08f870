import { type ErrorDetail, refuse } from '@birdhub/shared/errors';
import { RefusedAddressError } from '@birdhub/shared/outgoing';
import type pg from 'pg';
import type { Static, TObject } from 'typebox';
import { type DeliveryFailure, refusedAddress, say } from './delivery-failures.js';
import { NoResponseError, type OutgoingResponse } from './outgoing-requests.js';

/** The subjects of messages. */
export type MessageKind = 'bird' | 'correction' | 'hub' | 'digest' | 'test';

/**
 * The stored content of a notification. Title and body are untrusted plain text, which channels escape. Addresses are
 * absolute, or root-relative if the settings have no address of the hub.
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
  /** The detection notice with the picture. */
  readonly noticeId: string | null;
  readonly kind?: MessageKind;
  /** The rule that sent it. */
  readonly ruleId?: number | null;
  /** Tags for channels that display them, such as `first_ever`. */
  readonly tags?: readonly string[];
  /** Address of the recording's file. */
  readonly clip?: string | null;
  /** The recording and the detection of the picture; default: those of the visit. */
  readonly videoId?: number | null;
  readonly detectionId?: number | null;
  readonly camera?: string | null;
  readonly species?: string | null;
}

/** An attached file. */
export interface Attachment {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly content: Buffer;
}

/** The result of an attempt; `retry` means that nothing has arrived, so another attempt is safe. */
export interface Outcome {
  readonly state: 'sent' | 'failed' | 'gone' | 'retry';
  /** Null when it was sent. */
  readonly failure: DeliveryFailure | null;
  /** Value of `Retry-After`: seconds or an HTTP date. */
  readonly retryAfter?: string | undefined;
}

/** A message to one recipient. */
export interface Shipment<Options = unknown> {
  readonly message: Message;
  /** The recipient; empty for channels with a single one. */
  readonly target: string;
  /** Time until the message expires. */
  readonly ttlSeconds: number;
  readonly options: Options;
  /** Secrets by name. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly picture: Attachment | undefined;
  readonly clip: Attachment | undefined;
  readonly attachments: readonly Attachment[];
}

/** The media that a channel supports; others are not loaded. */
export interface ChannelMedia {
  readonly maxPictureBytes?: number;
  readonly maxClipBytes?: number;
  readonly maxAttachmentBytes?: number;
}

/** A kind of channel: its options and how it sends. */
export interface ChannelKind<T extends TObject = TObject> {
  readonly options: T;
  /** Names of its secrets. */
  readonly secrets: readonly string[];
  media(options: Static<T>): ChannelMedia;
  /** Returns errors that the schema cannot express, with pointers such as `/options/url`. */
  check(options: Static<T>, secrets: Readonly<Record<string, string>>): readonly ErrorDetail[];
  /** Returns the address that secrets are sent to; when it changes, stored secrets are dropped. */
  addressOf(options: Static<T>): string;
  /** Lists the recipients; default: a single one with an empty name. */
  targets?(client: Pick<pg.ClientBase, 'query'>): Promise<readonly string[]>;
  /** Makes one attempt. */
  send(shipment: Shipment<Static<T>>): Promise<Outcome>;
}

/** Timeout for a message without files. */
export const sendTimeoutMs = 10_000;

const tooManyRequests = 429;

/** Returns the outcome of a response: 429 and 5xx may be retried. */
export function toOutcome({ status, retryAfter }: Pick<OutgoingResponse, 'status' | 'retryAfter'>): Outcome {
  if (status >= 200 && status < 300) return { state: 'sent', failure: null };
  const failure = say('status', { status });
  if (status === tooManyRequests || status >= 500) return { state: 'retry', failure, retryAfter };
  return { state: 'failed', failure };
}

/**
 * Returns the outcome of a request without a response. Once connected, the message may have arrived and is not sent
 * again: a duplicate is worse than a loss.
 */
export function toFailedOutcome(error: unknown): Outcome {
  if (error instanceof RefusedAddressError) return { state: 'failed', failure: refusedAddress(error) };
  if (!(error instanceof NoResponseError)) throw error;
  const isFinal = error.mayHaveArrived || error.cause instanceof RefusedAddressError;
  return { state: isFinal ? 'failed' : 'retry', failure: error.reason };
}

/** Adds the reason given by a service to the status, as one line of limited length. */
export function withReason(outcome: Outcome, reason: unknown): Outcome {
  const status = outcome.failure?.values['status'];
  if (status === undefined || typeof reason !== 'string' || !reason) return outcome;
  return {
    ...outcome,
    failure: say('status_reason', { status, reason: oneLine(reason).slice(0, 200) }),
  };
}

/** Returns a text in one line without control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** Parses a JSON object; returns an empty one for anything else. */
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

/** Returns an absolute address; undefined for a relative one. */
export function absoluteUrl(url: string | null | undefined): string | undefined {
  return url && /^https?:\/\//.test(url) ? url : undefined;
}

/** Validates a user-supplied address. */
export function checkAddress(url: string, path: string): ErrorDetail[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return [refuse(path, 'web_address')];
  if (parsed.username || parsed.password) return [refuse(path, 'address_login')];
  return [];
}

/** Returns the origin of an address, or the text itself when it is invalid. */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Returns errors for missing secrets. */
export function requireSecrets(
  secrets: Readonly<Record<string, string>>,
  names: readonly string[],
): ErrorDetail[] {
  return names.filter((name) => !secrets[name]).map((name) => refuse(`/secrets/${name}`, 'required'));
}
