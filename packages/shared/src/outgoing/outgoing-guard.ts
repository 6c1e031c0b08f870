import { promises as dns, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Thrown for an address that the hub must not connect to. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
  /** Whether it is an address of the hub's own services. */
  readonly isOwn: boolean;

  constructor(message: string, { isOwn = false }: { readonly isOwn?: boolean } = {}) {
    super(message);
    this.isOwn = isOwn;
  }
}

/** Resolves all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Prevents requests to untrusted addresses from reaching the hub's own network (SSRF). */
export interface OutgoingGuard {
  /**
   * Rejects a host that is, or resolves to, a forbidden address; an unresolvable host passes.
   * @throws RefusedAddressError
   */
  check(url: URL): Promise<void>;
  /** Lookup function for connections, which resolves to checked addresses only and fails for forbidden ones. */
  readonly lookup: LookupFunction;
  readonly reach: OutgoingReach;
}

/**
 * Addresses that may be connected to: `public`; `network` adds private networks, without this host and link-local
 * addresses; `machine` adds this host; `all` is for tests and addresses set by the administrator.
 */
export type OutgoingReach = 'public' | 'network' | 'machine' | 'all';

/** Names of this host regardless of how they resolve (RFC 6761). */
const localhostName = /(?:^|\.)localhost\.?$/i;

const refusals: Readonly<Record<Exclude<OutgoingReach, 'all'>, string>> = {
  public: 'the host is a private address',
  network: 'the host is not an address of this network or of the internet',
  machine: 'the host is not an address of this machine, of its network or of the internet',
};

/** The global unicast addresses of IPv6; `ipaddr.js` classifies others as unicast too. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Creates a guard. */
export function createOutgoingGuard(
  reach: OutgoingReach,
  resolve: Resolve = (host) => dns.lookup(host, { all: true }),
): OutgoingGuard {
  function requireAllowed(isAllowed: boolean): void {
    if (reach !== 'all' && !isAllowed) throw new RefusedAddressError(refusals[reach]);
  }
  const isReachable = (address: string) =>
    isPublicAddress(address) ||
    (reach !== 'public' && isInRange(address, networkRanges)) ||
    (reach === 'machine' && isInRange(address, machineRanges));

  async function resolveSafely(host: string): Promise<readonly LookupAddress[]> {
    requireAllowed(reach === 'machine' || !localhostName.test(host));
    const found = await resolve(host);
    requireAllowed(found.every(({ address }) => isReachable(address)));
    return found;
  }

  async function check({ hostname }: URL): Promise<void> {
    if (reach === 'all') return;
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host)) return requireAllowed(isReachable(host));
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

  return { check, lookup, reach };
}

function withFamily(found: readonly LookupAddress[], { family }: LookupOptions): LookupAddress[] {
  const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
  return found.filter((entry) => !wanted || entry.family === wanted);
}

/** Whether a text is a public IP address (IANA special-purpose registries). */
export function isPublicAddress(address: string): boolean {
  // The library would also accept other spellings, such as 127.1.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

/** Private networks: RFC 1918, RFC 4193, RFC 6598. */
const networkRanges: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);
const machineRanges: ReadonlySet<string> = new Set(['loopback']);

/** Whether a text is an IP address in one of these ranges, including IPv4-mapped IPv6. */
function isInRange(address: string, ranges: ReadonlySet<string>): boolean {
  return isIP(address) !== 0 && ranges.has(ipaddr.process(address).range());
}
