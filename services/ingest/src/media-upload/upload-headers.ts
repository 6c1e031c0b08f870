import type { ErrorDetail } from '@birdhub/shared/errors';
import { invalidRequest } from '@birdhub/shared/validation';

/** The place of a body in its file. */
export interface BodyRange {
  /** Offset of the first byte. */
  readonly first: number;
  /** Offset behind the last byte; equal to `first` in `bytes *\/total`, which sends nothing and requests completion. */
  readonly end: number;
  /** Bytes of the whole file. */
  readonly total: number;
}

/** The algorithms of RFC 9530 that are not deprecated. */
export type DigestAlgorithm = 'sha256' | 'sha512';

/** A digest that a body or a file must have. */
export interface ExpectedDigest {
  /** The header that named it, in lower case. */
  readonly header: DigestHeader;
  readonly algorithm: DigestAlgorithm;
  readonly bytes: Buffer;
}

type DigestHeader = 'content-digest' | 'repr-digest';

/** What the headers of an upload say. */
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

/**
 * Reads the headers of an upload.
 * @throws HubError invalid_request with one detail for each header that is wrong
 */
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
      message: `must be of ${contentLength} bytes, as Content-Length is`,
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

/** Reads `bytes first-last/total` or `bytes *\/total` (RFC 9110 §14.4). Returns what is wrong with it, in words. */
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
 * Reads a dictionary of digests such as `sha-256=:…:, sha-512=:…:` (RFC 9530, RFC 8941). Members of other algorithms
 * are ignored beside one that is known. Returns what is wrong with it, in words.
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
    // Of a key that comes twice the last one counts (RFC 8941 §3.2).
    found.set(algorithm.name, { header, algorithm: algorithm.name, bytes });
  }
  return found.size ? [...found.values()] : 'must have a member sha-256 or sha-512';
}
