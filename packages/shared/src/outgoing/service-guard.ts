import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import {
  createOutgoingGuard,
  isPublicAddress,
  type OutgoingGuard,
  type OutgoingReach,
  RefusedAddressError,
} from './outgoing-guard.js';

/** Host and port of the hub itself or of one of its dependencies. */
export interface OwnAddress {
  /** Undefined for this machine. */
  readonly host: string | undefined;
  readonly port: number;
}

/** The result of {@link ServiceGuard.admit}. */
export interface AdmittedHost {
  /** Lookup function that resolves to the checked addresses only. */
  readonly lookup: LookupFunction;
  /** Whether it is in a private network, where certificates are often self-signed. */
  readonly isPrivate: boolean;
}

/**
 * Prevents requests to user-supplied addresses from reaching the hub's own services and addresses outside home
 * networks.
 */
export interface ServiceGuard {
  /** @throws RefusedAddressError, or the error of a name that cannot be resolved */
  admit(host: string, port: number): Promise<AdmittedHost>;
  readonly reach: OutgoingReach;
}

/** Dependencies of a guard. */
export interface ServiceGuardDeps {
  readonly ownAddresses: readonly OwnAddress[];
  /** Resolves names and restricts addresses. Default: the network and this machine. */
  readonly guard?: OutgoingGuard;
  /** Resolves the names of own addresses; must allow all of them. */
  readonly ownGuard?: OutgoingGuard;
  /** Refuses every address of this machine, whatever the port. Default: only the ports of own addresses. */
  readonly refusesMachine?: boolean;
  /** The addresses of this machine besides loopback. */
  readonly machineAddresses?: () => readonly string[];
}

const listMachineAddresses = () =>
  Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address));

/** Creates a guard. */
export function createServiceGuard({
  ownAddresses,
  guard = createOutgoingGuard('machine'),
  ownGuard = createOutgoingGuard('all'),
  refusesMachine = false,
  machineAddresses = listMachineAddresses,
}: ServiceGuardDeps): ServiceGuard {
  const isOfMachine = (address: string) =>
    isLoopback(address) || machineAddresses().map(normalise).includes(normalise(address));

  /** Whether one of these addresses belongs to a service of the hub. */
  async function includesOwn(addresses: readonly string[], own: OwnAddress): Promise<boolean> {
    if (own.host === undefined) return addresses.some(isOfMachine);
    const resolved = await resolve(ownGuard, own.host).catch(() => []);
    const known = resolved.map(({ address }) => normalise(address));
    return addresses.some(
      (address) => known.includes(normalise(address)) || (known.some(isOfMachine) && isOfMachine(address)),
    );
  }

  return {
    reach: guard.reach,
    async admit(given, port) {
      const host = bare(given);
      const found = await resolve(guard, host);
      const addresses = found.map(({ address }) => address);
      if (refusesMachine && addresses.some(isOfMachine))
        throw new RefusedAddressError('this is an address of the host of the hub', { isOwn: true });
      for (const own of ownAddresses) {
        if (own.port === port && (await includesOwn(addresses, own)))
          throw new RefusedAddressError('this is the address of a service of the hub itself', {
            isOwn: true,
          });
      }
      const lookup: LookupFunction = (_host, options, done) => {
        const wanted = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : options.family;
        const usable = found.filter(({ family }) => !wanted || family === wanted);
        const [first] = usable;
        if (!first) done(new Error(`${host} has no address`), []);
        else if (options.all) done(null, usable);
        else done(null, first.address, first.family);
      };
      return { lookup, isPrivate: !addresses.some(isPublicAddress) };
    },
  };
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '');

/** Returns the canonical form of an address; IPv4-mapped IPv6 becomes IPv4. */
function normalise(address: string): string {
  return isIP(address) ? ipaddr.process(address).toString() : address;
}

function isLoopback(address: string): boolean {
  const plain = normalise(address);
  return plain.startsWith('127.') || plain === '::1' || plain === '0.0.0.0' || plain === '::';
}

/** Returns the addresses of a host. @throws RefusedAddressError for forbidden ones */
async function resolve(guard: OutgoingGuard, host: string): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family) {
    await guard.check(new URL(`http://${family === 6 ? `[${host}]` : host}`));
    return [{ address: host, family }];
  }
  return new Promise((done, fail) => {
    guard.lookup(host, { all: true }, (error, found) => {
      if (error) fail(error);
      else done(Array.isArray(found) ? found : []);
    });
  });
}

/**
 * Parses the hosts and ports of addresses such as `postgresql://db:5432/hub`, `nats://a:4222,nats://b:4222` and
 * `gateway:8080,9464`.
 */
export function toOwnAddresses(urls: string, defaultPort: number): OwnAddress[] {
  return urls.split(',').flatMap((text): OwnAddress[] => {
    const given = text.trim();
    if (/^\d+$/.test(given)) return [{ host: undefined, port: Number(given) }];
    const withScheme = given.includes('://') ? given : `tcp://${given}`;
    if (!URL.canParse(withScheme)) return [];
    const { hostname, port } = new URL(withScheme);
    return hostname === '' ? [] : [{ host: hostname, port: Number(port) || defaultPort }];
  });
}

/** The configuration of a service that contains addresses of the hub. */
export interface AddressesConfig {
  readonly databaseUrl: string;
  readonly databaseReadUrl?: string | undefined;
  readonly natsUrl: string;
  readonly hubAddresses?: string | undefined;
  readonly port: number;
  readonly opsPort: number;
  readonly reservedPort?: number | undefined;
}

/** Returns the addresses of the hub and its dependencies. */
export function ownAddressesOf(config: AddressesConfig): OwnAddress[] {
  const {
    databaseUrl,
    databaseReadUrl = '',
    natsUrl,
    hubAddresses = '',
    port,
    opsPort,
    reservedPort = 0,
  } = config;
  return [
    ...toOwnAddresses(databaseUrl, 5432),
    ...toOwnAddresses(databaseReadUrl, 5432),
    ...toOwnAddresses(natsUrl, 4222),
    ...toOwnAddresses(hubAddresses, 0),
    ...[port, opsPort, reservedPort].map((own) => ({ host: undefined, port: own })),
  ].filter((own) => own.port > 0);
}
