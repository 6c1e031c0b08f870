import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { ConfigError } from '@birdhub/shared/config';
import ipaddr from 'ipaddr.js';

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
 * The name or address of a `Host` header as browsers write it: lower case, without port, brackets and final dot.
 * Returns undefined when it is neither.
 */
export function hostNameOf(header: string): string | undefined {
  const { v6, name } = hostHeader.exec(header)?.groups ?? {};
  const host = v6 === undefined ? name?.replace(/\.$/, '') : `[${v6}]`;
  if (!host || host.startsWith('.') || host.includes('..') || !URL.canParse(`http://${host}/`))
    return undefined;
  // Other spellings of an IPv4 address (0x7f.1) become the usual one.
  return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
}

/** Of an IPv4 address within one of IPv6, what counts is the former. */
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

/**
 * Reads a comma separated list of names by which the hub is reached beside private ones, and returns whether the hub
 * answers to the value of a `Host` header. A page whose own name leads to the hub (DNS rebinding) is none of them.
 * `*.birds.example` stands for all names below it, `*` for every name.
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
