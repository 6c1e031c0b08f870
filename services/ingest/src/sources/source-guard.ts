import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createOutgoingGuard, type OutgoingGuard, RefusedAddressError } from '@birdhub/shared/outgoing';

/** A host and a port where the hub itself listens, or what it depends on. */
export interface OwnAddress {
  /** Undefined for this machine. */
  readonly host: string | undefined;
  readonly port: number;
}

/** Keeps requests of sources away from the hub's own services and from addresses that are none of a network at home. */
export interface SourceGuard {
  /**
   * Returns how the host of an address is resolved for a connection: to what was checked, and to nothing else.
   * @throws RefusedAddressError
   */
  admit(url: URL, signal?: AbortSignal): Promise<LookupFunction>;
}

/** What a guard of sources works with. */
export interface SourceGuardDeps {
  readonly ownAddresses: readonly OwnAddress[];
  /** Resolves names; reaches the network and this machine. */
  readonly guard?: OutgoingGuard;
  /** The addresses of this machine beside loopback. */
  readonly machineAddresses?: () => readonly string[];
}

const listMachineAddresses = () =>
  Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));

/** Creates the guard of sources. */
export function createSourceGuard({
  ownAddresses,
  guard = createOutgoingGuard('machine'),
  machineAddresses = listMachineAddresses,
}: SourceGuardDeps): SourceGuard {
  const isOfMachine = (address: string) => isLoopback(address) || machineAddresses().includes(unmap(address));

  async function requireForeign(addresses: readonly string[], port: number): Promise<void> {
    const suspects = ownAddresses.filter((own) => own.port === port);
    for (const { host } of suspects) {
      const own = host === undefined ? undefined : await resolve(guard, host);
      const isOwn = addresses.some((address) =>
        own === undefined || own.some(isOfMachine)
          ? isOfMachine(address)
          : own.map(unmap).includes(unmap(address)),
      );
      if (isOwn) throw new RefusedAddressError('This address is that of a service of the hub itself');
    }
  }

  return {
    async admit(url, signal) {
      signal?.throwIfAborted();
      await guard.check(url);
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
      const host = bare(url.hostname);
      if (isIP(host)) await requireForeign([host], port);
      return (name, options, done) => {
        guard.lookup(name, { ...options, all: true }, (error, found) => {
          const all = Array.isArray(found) ? found : [];
          const [first] = all;
          if (error || !first) return done(error ?? new Error('no address'), []);
          requireForeign(
            all.map(({ address }) => address),
            port,
          ).then(
            () => (options.all ? done(null, all) : done(null, first.address, first.family)),
            (refused: Error) => done(refused, []),
          );
        });
      };
    },
  };
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '');

/** Returns the IPv4 address that an IPv6 one stands for. */
const unmap = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '');

const isLoopback = (address: string) => {
  const plain = unmap(address);
  return plain.startsWith('127.') || plain === '::1' || plain === '0.0.0.0' || plain === '::';
};

/** The addresses of a host of the hub; none while its name cannot be resolved. */
function resolve(guard: OutgoingGuard, name: string): Promise<string[]> {
  const host = bare(name);
  if (isIP(host)) return Promise.resolve([host]);
  return new Promise((done) => {
    guard.lookup(host, { all: true }, (_error, found) =>
      done(Array.isArray(found) ? found.map(({ address }) => address) : []),
    );
  });
}

/** The hosts and ports in addresses such as `postgresql://db:5432/hub` and `nats://a:4222,nats://b:4222`. */
export function toOwnAddresses(urls: string, defaultPort: number): OwnAddress[] {
  return urls.split(',').flatMap((text) => {
    const withScheme = text.includes('://') ? text.trim() : `tcp://${text.trim()}`;
    if (!URL.canParse(withScheme)) return [];
    const { hostname, port } = new URL(withScheme);
    return hostname === '' ? [] : [{ host: hostname, port: Number(port) || defaultPort }];
  });
}
