import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { HubApp } from '@birdhub/shared/app';
import { ConfigError } from '@birdhub/shared/config';
import { HubError, invalidField } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** By which names the hub may be reached. */
export interface HostOptions {
  /** Whether the hub accepts this value of a `Host` header. */
  readonly isKnownHost: (header: string) => boolean;
  /** Whether the `X-Forwarded-Host` of this peer decides: one named in `TRUSTED_PROXIES`, not one trusted by default. */
  readonly isNamedProxy: (address: string | undefined) => boolean;
}

/**
 * Rejects every request whose `Host` is no name of the hub: a page of another site can point its own name at the
 * hub's address (DNS rebinding), and would read and write with the rights of the hub's own pages.
 */
export function requireKnownHost(app: HubApp, options: HostOptions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasSeveralHosts(request)) throw invalidField('host', 'must be given once');
    const isKnown = options.isKnownHost(request.headers.host ?? '');
    if (!isKnown && !isForwardedByProxy(request, options)) throw new HubError('unknown_host');
    done();
  });
}

function hasSeveralHosts({ raw }: FastifyRequest): boolean {
  const names = raw.rawHeaders.filter((_, at) => at % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length > 1;
}

/** A named proxy restricts itself which names reach the hub; it says by which one the request came. */
function isForwardedByProxy(
  { headers, socket, host }: FastifyRequest,
  { isNamedProxy }: HostOptions,
): boolean {
  if (!headers['x-forwarded-host'] || !isNamedProxy(socket.remoteAddress)) return false;
  return hostNameOf(host) !== undefined;
}

/**
 * Parses a comma separated list of names by which the hub is reached beside private ones. Returns a function that tells
 * whether the hub accepts the value of a `Host` header. `*.birds.example` stands for all names below it, `*` for every name.
 * @throws ConfigError naming the entry that is no name
 */
export function parseTrustedHosts(list: string): (header: string) => boolean {
  const entries = list.split(',').map((entry) => entry.trim());
  const names = entries.filter((entry) => entry !== '');
  if (names.includes('*')) return () => true;
  const known = new Set(names.map(readEntry));
  const parents = [...known].filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  return (header) => {
    const name = hostNameOf(header);
    if (name === undefined) return false;
    if (known.has(name)) return true;
    if (isIP(name)) return isPrivateAddress(name);
    return isPrivateName(name) || parents.some((parent) => name.endsWith(parent));
  };
}

/** Addresses of this machine and of private networks, as `ipaddr.js` calls their ranges. */
const privateRanges: readonly string[] = [
  'unspecified',
  'loopback',
  'private',
  'carrierGradeNat',
  'linkLocal',
  'uniqueLocal',
];
/** Names that the public DNS does not have: RFC 6761, RFC 6762, RFC 8375 and ICANN's `internal`. */
const privateSuffixes = ['.local', '.localhost', '.home.arpa', '.internal'];
/** A host with or without a port; an IPv6 address may name its interface. */
const hostHeader = /^(?:\[(?<v6>[\da-f:.]{2,45})(?:%[\w.-]{1,32})?\]|(?<name>[\w.-]{1,254}))(?::\d{0,5})?$/i;

/**
 * Returns the name or address of a `Host` header as browsers write it: lower case, without port, brackets and final
 * dot; undefined when it is neither.
 */
function hostNameOf(header: string): string | undefined {
  const { v6, name } = hostHeader.exec(header)?.groups ?? {};
  const host = v6 === undefined ? name?.replace(/\.$/, '') : `[${v6}]`;
  if (!host || host.startsWith('.') || host.includes('..') || !URL.canParse(`http://${host}/`))
    return undefined;
  // Other spellings of an IPv4 address (0x7f.1) become the usual one.
  return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
}

/** An IPv4 address mapped into IPv6 counts as the IPv4 address. */
function isPrivateAddress(address: string): boolean {
  return privateRanges.includes(ipaddr.process(address).range());
}

function isPrivateName(name: string): boolean {
  return !name.includes('.') || privateSuffixes.some((suffix) => name.endsWith(suffix));
}

function readEntry(entry: string): string {
  const isWildcard = entry.startsWith('*.');
  const name = isWildcard ? entry.slice(2) : entry;
  const isBareV6 = isIP(name) === 6;
  const host = hostNameOf(isBareV6 ? `[${name}]` : /[^\x20-\x7e]/.test(name) ? domainToASCII(name) : name);
  const hasPort = !isBareV6 && /:\d*$/.test(name.replace(/^\[.*\]/, ''));
  if (host === undefined || hasPort || (isWildcard && isIP(host))) {
    throw new ConfigError(`TRUSTED_HOSTS: ${entry} is no name such as birds.example or *.birds.example`);
  }
  return isWildcard ? `*.${host}` : host;
}
