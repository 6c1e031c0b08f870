import { expect, test } from 'vitest';
import { parseNatsUrl } from './nats-link.js';

test('parseNatsUrl, a plain address, has the default port and no credentials', () => {
  expect(parseNatsUrl('nats://broker')).toEqual({ servers: ['broker:4222'], isEncrypted: false });
});

test('parseNatsUrl, several servers, uses the first credentials', () => {
  expect(parseNatsUrl('a:1, nats://hub:p%40ss@b:2 ,nats://c')).toEqual({
    servers: ['a:1', 'b:2', 'c:4222'],
    isEncrypted: false,
    user: 'hub',
    pass: 'p@ss',
  });
});

test('parseNatsUrl, a user without password, is a token', () => {
  expect(parseNatsUrl('tls://s3cret@[::1]:4443')).toEqual({
    servers: ['[::1]:4443'],
    isEncrypted: true,
    token: 's3cret',
  });
});

test.each(['', ' , ', 'nats://user:secret@host:notaport'])(
  'parseNatsUrl, "%s", throws without repeating it',
  (url) => {
    expect(() => parseNatsUrl(url)).toThrow(/^NATS_URL (names no server|must be like)/);
  },
);
