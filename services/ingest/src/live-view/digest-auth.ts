import { createHash, randomBytes } from 'node:crypto';

/** A request to be authenticated. */
export interface DigestRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly username: string;
  readonly password: string;
}

type Challenge = ReadonlyMap<string, string>;

/** Supported hash functions, the preferred one first, with their names in Node.js. */
const hashes = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
] as const;

/**
 * Returns the `Authorization` for a challenge of Digest authentication (RFC 7616, and RFC 2069 without `qop`). Returns
 * undefined when the header has no challenge that is supported.
 */
export function digestAuthorization(
  header: string | undefined,
  request: DigestRequest,
  cnonce = randomBytes(16).toString('hex'),
): string | undefined {
  const challenges = readChallenges(header ?? '');
  for (const [algorithm, hash] of hashes) {
    const challenge = challenges.find((found) => algorithmOf(found).name === algorithm);
    const authorization = challenge && respond(challenge, hash, request, cnonce);
    if (authorization !== undefined) return authorization;
  }
  return undefined;
}

function algorithmOf(challenge: Challenge): { readonly name: string; readonly isSession: boolean } {
  const text = (challenge.get('algorithm') ?? 'MD5').toUpperCase();
  const isSession = text.endsWith('-SESS');
  return { name: isSession ? text.slice(0, -'-SESS'.length) : text, isSession };
}

function respond(
  challenge: Challenge,
  hash: string,
  { method, path, username, password }: DigestRequest,
  cnonce: string,
): string | undefined {
  const realm = challenge.get('realm');
  const nonce = challenge.get('nonce');
  const qops = challenge
    .get('qop')
    ?.split(',')
    .map((qop) => qop.trim().toLowerCase());
  if (realm === undefined || nonce === undefined || (qops && !qops.includes('auth'))) return undefined;
  const digest = (...parts: readonly string[]) => createHash(hash).update(parts.join(':')).digest('hex');
  const user = digest(username, realm, password);
  const secret = algorithmOf(challenge).isSession ? digest(user, nonce, cnonce) : user;
  const target = digest(method, path);
  const count = '00000001';
  const response = qops
    ? digest(secret, nonce, count, cnonce, 'auth', target)
    : digest(secret, nonce, target);
  const quoted = { username, realm, nonce, uri: path, response, opaque: challenge.get('opaque') };
  return `Digest ${[
    ...Object.entries(quoted).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${quote(value)}`],
    ),
    ...(challenge.has('algorithm') ? [`algorithm=${challenge.get('algorithm')}`] : []),
    ...(qops ? ['qop=auth', `nc=${count}`, `cnonce=${quote(cnonce)}`] : []),
  ].join(', ')}`;
}

const quote = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A scheme, or a parameter with its quoted or plain value. */
const token = /([\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/g;

/** Parses the Digest challenges of a `WWW-Authenticate` header, which may have several, also of other schemes. */
function readChallenges(header: string): readonly Challenge[] {
  const challenges: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const [, name = '', quoted, plain] of header.matchAll(token)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (value !== undefined) current?.set(name.toLowerCase(), value);
    else {
      current = name.toLowerCase() === 'digest' ? new Map() : undefined;
      if (current) challenges.push(current);
    }
  }
  return challenges;
}
