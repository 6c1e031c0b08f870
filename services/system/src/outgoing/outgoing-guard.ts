import { promises as dns, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.js';

/** An address that the hub does not send to. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Keeps what strangers and settings name from leading into the network that the hub stands in. */
export interface OutgoingGuard {
  /**
   * Refuses a host that is, or leads to, a private address; a host that has no address just now passes.
   * @throws RefusedAddressError
   */
  check(url: URL): Promise<void>;
  /** Resolves for a connection, which so reaches what was checked and no other address; refuses likewise. */
  readonly lookup: LookupFunction;
  /** Whether private addresses, and subscriptions over plain HTTP, are allowed. */
  readonly allowsPrivate: boolean;
}

const isPrivate = ({ address }: LookupAddress) => !isPublicAddress(address);
/** This machine whatever a resolver says of it, or when it says nothing (RFC 6761). */
const ownName = /(?:^|\.)localhost\.?$/i;
const refusal = () => new RefusedAddressError('the host is a private address');

function withFamily(found: readonly LookupAddress[], { family }: LookupOptions): LookupAddress[] {
  const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
  return found.filter((entry) => !wanted || entry.family === wanted);
}

/** Refuses private addresses unless they are allowed, as for tests and webhooks at home. */
export function createOutgoingGuard(
  allowsPrivate: boolean,
  resolve: Resolve = (host) => dns.lookup(host, { all: true }),
): OutgoingGuard {
  async function resolveSafely(host: string): Promise<readonly LookupAddress[]> {
    if (!allowsPrivate && ownName.test(host)) throw refusal();
    const found = await resolve(host);
    if (!allowsPrivate && found.some(isPrivate)) throw refusal();
    return found;
  }

  async function check({ hostname }: URL): Promise<void> {
    if (allowsPrivate) return;
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host)) {
      if (!isPublicAddress(host)) throw refusal();
      return;
    }
    try {
      await resolveSafely(host);
    } catch (error) {
      if (error instanceof RefusedAddressError) throw error;
    }
  }

  const lookup: LookupFunction = (host, options, done) => {
    resolveSafely(host).then(
      (found) => {
        const usable = withFamily(found, options);
        const [first] = usable;
        if (!first) done(new Error(`${host} has no address`), []);
        else if (options.all) done(null, usable);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, []),
    );
  };

  return { check, lookup, allowsPrivate };
}
