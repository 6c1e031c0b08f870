import { createHash } from 'node:crypto';
import { HubError } from '@birdhub/shared/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseContentRange, parseDigests, readUploadHeaders } from './upload-headers.js';

const digestOf = (text: string, name: 'sha256' | 'sha512' = 'sha256') =>
  createHash(name).update(text).digest('base64');
const ofA = `sha-256=:${digestOf('a')}:`;
const ofA512 = `sha-512=:${digestOf('a', 'sha512')}:`;

describe('parseContentRange', () => {
  it.each([
    ['bytes 0-0/1', { first: 0, end: 1, total: 1 }],
    ['bytes 5-9/10', { first: 5, end: 10, total: 10 }],
    ['BYTES 5-9/10', { first: 5, end: 10, total: 10 }],
    ['bytes */10', { first: 10, end: 10, total: 10 }],
  ])('%s, well formed, is read', (value, range) => {
    expect(parseContentRange(value)).toEqual(range);
  });

  it.each([
    ['', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['bytes 0-1', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['bytes=0-1/2', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['bytes 0-1/*', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['bytes -1-1/2', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['bytes 0-1/2, bytes 0-1/2', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['bytes 0-1/99999999999999999', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['items 0-1/2', 'must be bytes FIRST-LAST/TOTAL, or bytes */TOTAL'],
    ['bytes 2-1/5', 'must not end before it begins'],
    ['bytes 0-5/5', 'must end before TOTAL'],
    ['bytes */0', 'must be of a file that is not empty'],
  ])('%s, malformed, is refused with a reason', (value, problem) => {
    expect(parseContentRange(value)).toBe(problem);
  });

  it('any range inside its file, written and read, is the same', () => {
    const sizes = fc.integer({ min: 1, max: 2 ** 40 });
    fc.assert(
      fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), sizes, (total, at, length) => {
        const first = Math.min(Math.floor(at * total), total - 1);
        const end = Math.min(first + length, total);
        expect(parseContentRange(`bytes ${first}-${end - 1}/${total}`)).toEqual({ first, end, total });
      }),
    );
  });

  it('any text, is a problem or a range inside its file', () => {
    const part = fc.oneof(fc.nat().map(String), fc.constantFrom('*', '-', '/', ' ', 'bytes'), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const range = parseContentRange(parts.join(''));
        if (typeof range === 'string') return;
        expect(range.first).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThanOrEqual(range.total);
      }),
    );
  });
});

describe('parseDigests', () => {
  const read = (value: string) => parseDigests('content-digest', value);
  const algorithmsOf = (value: string) => {
    const found = read(value);
    return typeof found === 'string' ? found : found.map(({ algorithm }) => algorithm);
  };

  it.each([
    [ofA, ['sha256']],
    [ofA512, ['sha512']],
    [`${ofA},${ofA512}`, ['sha256', 'sha512']],
    [`${ofA} ,\t${ofA512}`, ['sha256', 'sha512']],
    [`md5=:${Buffer.alloc(16).toString('base64')}:, ${ofA}`, ['sha256']],
    [`${ofA};a=1`, ['sha256']],
  ])('%s, well formed, is read', (value, algorithms) => {
    expect(algorithmsOf(value)).toEqual(algorithms);
  });

  it('an algorithm that occurs twice, has its last value', () => {
    const [digest] = read(`sha-256=:${digestOf('b')}:, ${ofA}`);
    expect(digest).toMatchObject({ bytes: createHash('sha256').update('a').digest() });
  });

  it.each([
    ['', 'must be a list of ALGORITHM=:BASE64:'],
    [`sha-256=${digestOf('a')}`, 'must be a list of ALGORITHM=:BASE64:'],
    [`sha-256=:${digestOf('a')}`, 'must be a list of ALGORITHM=:BASE64:'],
    [`${ofA},`, 'must be a list of ALGORITHM=:BASE64:'],
    ['sha-256=:aGVsbG8=:', 'must have 32 bytes of sha-256 in base64'],
    ['sha-256=::', 'must have 32 bytes of sha-256 in base64'],
    ['md5=:AAAA:', 'must have a member sha-256 or sha-512'],
    ['constructor=:AAAA:', 'must have a member sha-256 or sha-512'],
    [Array(17).fill(ofA).join(','), 'must have at most 16 members'],
  ])('%s, malformed, is refused with a reason', (value, problem) => {
    expect(read(value)).toBe(problem);
  });
});

describe('readUploadHeaders', () => {
  it('a whole file, has both digests checked during the upload', () => {
    const headers = { 'content-length': '5', 'content-digest': ofA, 'repr-digest': ofA512 };
    expect(readUploadHeaders(headers)).toMatchObject({
      contentLength: 5,
      range: undefined,
      bodyDigests: [{ header: 'content-digest' }, { header: 'repr-digest' }],
      fileDigests: [],
    });
  });

  it('a range, has the digest of the file checked at its end', () => {
    const headers = { 'content-range': 'bytes 0-4/9', 'content-digest': ofA, 'repr-digest': ofA512 };
    expect(readUploadHeaders(headers)).toMatchObject({
      contentLength: undefined,
      range: { first: 0, end: 5, total: 9 },
      bodyDigests: [{ header: 'content-digest' }],
      fileDigests: [{ header: 'repr-digest' }],
    });
  });

  it('several wrong headers, are all named', () => {
    const headers = { 'content-range': 'bytes', 'content-digest': 'x', 'repr-digest': 'y' };
    const read = () => readUploadHeaders(headers);
    expect(read).toThrow(HubError);
    try {
      read();
    } catch (error) {
      const { code, details } = error as HubError;
      expect(code).toBe('invalid_request');
      expect(details?.map(({ path }) => path)).toEqual(['content-range', 'content-digest', 'repr-digest']);
    }
  });

  it('a length that differs from that of the range, is refused', () => {
    const headers = { 'content-length': '4', 'content-range': 'bytes 0-4/9' };
    expect(() => readUploadHeaders(headers)).toThrow(
      'content-range: must span 4 bytes, as given by Content-Length',
    );
  });
});
