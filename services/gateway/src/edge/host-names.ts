import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { HubApp } from '@birdhub/shared/app';
import { ConfigError } from '@birdhub/shared/config';
import { HubError, invalidField } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** The accepted host names. */
export interface HostOptions {
  /** Whether the hub accepts this value of a `Host` header. */
  readonly isKnownHost: (header: string) => boolean;
  /**
   * Whether `X-Forwarded-Host` of this peer is used: only of peers in `TRUSTED_PROXIES`, not those trusted by default.
   */
  readonly isNamedProxy: (address: string | undefined) => boolean;
}

/**
 * Rejects requests whose `Host` is not a name of the hub, against DNS rebinding: a page of another site whose name
 * resolves to the hub would have the rights of the hub's own pages.
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

/** A proxy in `TRUSTED_PROXIES` restricts the host names itself and forwards the one that was used. */
function isForwardedByProxy(
  { headers, socket, host }: FastifyRequest,
  { isNamedProxy }: HostOptions,
): boolean {
  if (!headers['x-forwarded-host'] || !isNamedProxy(socket.remoteAddress)) return false;
  return hostNameOf(host) !== undefined;
}

/**
 * Parses a comma-separated list of accepted names, in addition to private ones. Returns a predicate for `Host` headers.
 * `*.birds.example` matches all names below it, `*` every name.
 * @throws ConfigError naming the invalid entry
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

/** Ranges of `ipaddr.js` with addresses of this machine and of private networks. */
const privateRanges: readonly string[] = [
  'unspecified',
  'loopback',
  'private',
  'carrierGradeNat',
  'linkLocal',
  'uniqueLocal',
];
/** Suffixes of names outside the public DNS: RFC 6761, RFC 6762, RFC 8375 and ICANN's `internal`. */
const privateSuffixes = ['.local', '.localhost', '.home.arpa', '.internal'];
/** A host with an optional port; an IPv6 address may have a zone id. */
const hostHeader = /^(?:\[(?<v6>[\da-f:.]{2,45})(?:%[\w.-]{1,32})?\]|(?<name>[\w.-]{1,254}))(?::\d{0,5})?$/i;

/**
 * Returns the normalised name or address of a `Host` header: lower case, without port, brackets and final dot;
 * undefined when invalid.
 */
function hostNameOf(header: string): string | undefined {
  const { v6, name } = hostHeader.exec(header)?.groups ?? {};
  const host = v6 === undefined ? name?.replace(/\.$/, '') : `[${v6}]`;
  if (!host || host.startsWith('.') || host.includes('..') || !URL.canParse(`http://${host}/`))
    return undefined;
  // Normalises other spellings of IPv4 addresses (0x7f.1).
  return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
}

/** IPv4-mapped IPv6 addresses count as IPv4. */
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
    throw new ConfigError(`TRUSTED_HOSTS: ${entry} is not a name such as birds.example or *.birds.example`);
  }
  return isWildcard ? `*.${host}` : host;
}
