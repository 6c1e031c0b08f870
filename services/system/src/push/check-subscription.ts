import { ECDH } from 'node:crypto';
import { invalidField } from '@birdhub/shared/errors';
import { type OutgoingGuard, RefusedAddressError } from '../outgoing/outgoing-guard.js';

/** A browser that wants messages: where its push service takes them, and the keys that only it can open. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

const pointBytes = 65;
const uncompressed = 4;
const authBytes = 16;
const endpointPath = '/subscription/endpoint';
const base64url = /^[\w-]+={0,2}$/;

function decode(text: string): Buffer {
  return base64url.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0);
}

function isPointOfCurve(point: Buffer): boolean {
  if (point.length !== pointBytes || point[0] !== uncompressed) return false;
  try {
    ECDH.convertKey(point, 'prime256v1');
    return true;
  } catch {
    return false;
  }
}

function checkKeys({ p256dh, auth }: Subscription): void {
  if (!isPointOfCurve(decode(p256dh))) {
    throw invalidField('/subscription/keys/p256dh', 'must be an uncompressed P-256 point in base64url');
  }
  if (decode(auth).length !== authBytes) {
    throw invalidField('/subscription/keys/auth', 'must be 16 bytes in base64url');
  }
}

/**
 * Refuses what no browser would hand out.
 * @throws HubError invalid_request naming the field
 */
export async function checkSubscription(subscription: Subscription, guard: OutgoingGuard): Promise<void> {
  const { endpoint } = subscription;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isHttps = url?.protocol === 'https:' || (guard.allowsPrivate && url?.protocol === 'http:');
  if (!url || !isHttps) throw invalidField(endpointPath, 'must be an https address');
  if (url.username || url.password) throw invalidField(endpointPath, 'must not have credentials');
  checkKeys(subscription);
  try {
    await guard.check(url);
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    throw invalidField(endpointPath, 'must not be a private address');
  }
}
