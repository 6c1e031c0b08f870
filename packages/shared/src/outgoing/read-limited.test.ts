import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readLimited } from './read-limited.js';

const tooLarge = () => new Error('too large');

test('readLimited, of a body of the maximum size, returns it', async () => {
  const body = Readable.from([Buffer.from('ab'), Buffer.from('c')]);
  expect((await readLimited(body, 3, tooLarge)).toString()).toBe('abc');
});

test('readLimited, of a larger body, throws the given error and ends the body', async () => {
  const body = Readable.from([Buffer.from('ab'), Buffer.from('cd'), Buffer.from('ef')]);
  await expect(readLimited(body, 3, tooLarge)).rejects.toThrow('too large');
  expect(body.destroyed).toBe(true);
});
