import { describe, expect, it } from 'vitest';
import { ResponseReader } from './response-reader.js';

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\nETag: "a"\r\n\r\nhello world';
const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1a;x=y\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n';
const notModified = 'HTTP/1.1 304 Not Modified\r\netag: W/"a"\r\n\r\n';
const empty = 'HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n';

/** Returns the results of pushing a response in pieces of one size. */
function inPieces(reader: ResponseReader, text: string, size: number) {
  const ends = [];
  for (let at = 0; at < text.length; at += size)
    ends.push(reader.push(Buffer.from(text.slice(at, at + size))));
  return ends;
}

describe('ResponseReader', () => {
  it.each([
    ['with a length', withLength, 200],
    ['in chunks', chunked, 200],
    ['without a body', notModified, 304],
    ['with an empty body', empty, 500],
  ])('with a response %s, in pieces of any size, reports the end at its last byte', (_, text, status) => {
    const reader = new ResponseReader();
    for (let size = 1; size <= text.length; size += 1) {
      const ends = inPieces(reader, text, size);
      expect(ends.at(-1)).toEqual({ status, bytes: text.length });
      expect(ends.slice(0, -1).every((end) => end === undefined)).toBe(true);
    }
  });

  it('with consecutive responses, separates them', () => {
    const reader = new ResponseReader();
    const statuses = [withLength, notModified, chunked, empty, withLength].map(
      (text) => reader.push(Buffer.from(text))?.status,
    );
    expect(statuses).toEqual([200, 304, 200, 500, 200]);
  });

  it('with data that is not HTTP, throws', () => {
    expect(() => new ResponseReader().push(Buffer.from('hello\r\n\r\n'))).toThrow('not an HTTP/1.1 response');
  });

  it('with a response without a length, throws', () => {
    const text = 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello';
    expect(() => new ResponseReader().push(Buffer.from(text))).toThrow('without a length');
  });
});
