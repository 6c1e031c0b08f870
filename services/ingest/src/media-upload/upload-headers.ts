import type { ErrorDetail } from '@birdhub/shared/errors';
import { invalidRequest } from '@birdhub/shared/validation';

/** The position of a body in its file. */
export interface BodyRange {
  /** Offset of the first byte. */
  readonly first: number;
  /**
   * Offset after the last byte; equal to `first` in `bytes *\/total`, which has no content and queries the progress.
   */
  readonly end: number;
  /** Size of the whole file in bytes. */
  readonly total: number;
}

/** Digest algorithms of RFC 9530 that are not deprecated. */
export type DigestAlgorithm = 'sha256' | 'sha512';

/** A digest that a body or a file must have. */
export interface ExpectedDigest {
  /** The header that contained it, in lower case. */
  readonly header: DigestHeader;
  readonly algorithm: DigestAlgorithm;
  readonly bytes: Buffer;
}

type DigestHeader = 'content-digest' | 'repr-digest';

/** The parsed headers of an upload. */
export interface UploadHeaders {
  /** Undefined when the body is chunked. */
  readonly contentLength: number | undefined;
  /** Undefined when the body is the whole file. */
  readonly range: BodyRange | undefined;
  /** Digests of the body. */
  readonly bodyDigests: readonly ExpectedDigest[];
  /** Digests of the whole file. */
  readonly fileDigests: readonly ExpectedDigest[];
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Parses the headers of an upload. @throws HubError invalid_request with one detail for each invalid header */
export function readUploadHeaders(headers: Headers): UploadHeaders {
  const details: ErrorDetail[] = [];
  const read = <T>(header: string, parse: (value: string) => T | string): T | undefined => {
    const value = headers[header];
    if (value === undefined) return undefined;
    const parsed = parse(String(value));
    if (typeof parsed !== 'string') return parsed;
    details.push({ path: header, message: parsed });
    return undefined;
  };
  const contentLength = read('content-length', (value) => Number(value));
  const range = read('content-range', parseContentRange);
  const contentDigests = read('content-digest', (value) => parseDigests('content-digest', value)) ?? [];
  const reprDigests = read('repr-digest', (value) => parseDigests('repr-digest', value)) ?? [];
  if (range && contentLength !== undefined && contentLength !== range.end - range.first) {
    details.push({
      path: 'content-range',
      message: `must span ${contentLength} bytes, as given by Content-Length`,
    });
  }
  if (details.length) throw invalidRequest(details);
  const isWhole = range === undefined;
  return {
    contentLength,
    range,
    bodyDigests: isWhole ? [...contentDigests, ...reprDigests] : contentDigests,
    fileDigests: isWhole ? [] : reprDigests,
  };
}

const rangePattern = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15})$/i;

/** Reads `bytes first-last/total` or `bytes *\/total` (RFC 9110 §14.4), or returns what is wrong with it. */
export function parseContentRange(value: string): BodyRange | string {
  const [matched, firstText, lastText, totalText] = rangePattern.exec(value.trim()) ?? [];
  if (matched === undefined) return 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL';
  const total = Number(totalText);
  if (total === 0) return 'must be of a file that is not empty';
  if (firstText === undefined) return { first: total, end: total, total };
  const first = Number(firstText);
  const last = Number(lastText);
  if (last < first) return 'must not end before it begins';
  if (last >= total) return 'must end before TOTAL';
  return { first, end: last + 1, total };
}

const algorithms: Readonly<Record<string, { name: DigestAlgorithm; length: number }>> = {
  'sha-256': { name: 'sha256', length: 32 },
  'sha-512': { name: 'sha512', length: 64 },
};
const maxMembers = 16;
const memberPattern = /^([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):(?:;.*)?$/;

/**
 * Reads a dictionary of digests such as `sha-256=:…:, sha-512=:…:` (RFC 9530, RFC 8941). Members of unknown algorithms
 * are ignored if there is a known one. Returns what is wrong with an invalid one.
 */
export function parseDigests(header: DigestHeader, value: string): readonly ExpectedDigest[] | string {
  const members = value.split(',', maxMembers + 1);
  if (members.length > maxMembers) return `must have at most ${maxMembers} members`;
  const found = new Map<DigestAlgorithm, ExpectedDigest>();
  for (const member of members) {
    const [matched, key = '', base64 = ''] = memberPattern.exec(member.trim()) ?? [];
    if (matched === undefined) return 'must be a list of ALGORITHM=:BASE64:';
    const algorithm = Object.hasOwn(algorithms, key) ? algorithms[key] : undefined;
    if (!algorithm) continue;
    const bytes = Buffer.from(base64, 'base64');
    if (bytes.length !== algorithm.length) return `must have ${algorithm.length} bytes of ${key} in base64`;
    // The last of duplicate keys counts (RFC 8941 §3.2).
    found.set(algorithm.name, { header, algorithm: algorithm.name, bytes });
  }
  return found.size ? [...found.values()] : 'must have a member sha-256 or sha-512';
}
