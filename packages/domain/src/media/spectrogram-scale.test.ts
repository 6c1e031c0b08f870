import { describe, expect, it } from 'vitest';
import { addScale, parseScale } from './spectrogram-scale.js';

const plain = Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 3, 7, 0xff, 0xd9]);
const jfif = Buffer.concat([
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 7]),
  Buffer.from('JFIF\0'),
  plain.subarray(2),
]);

describe('the scale of a spectrogram', () => {
  it.each([
    ['a JPEG', plain],
    ['a JPEG with a JFIF header', jfif],
  ])('written to %s, is read back and leaves the rest unchanged', (_, jpeg) => {
    const noted = addScale(jpeg, 12);
    expect(parseScale(noted)).toBe(12);
    expect(noted.length).toBeGreaterThan(jpeg.length);
    expect(noted.indexOf(plain.subarray(2))).toBe(noted.length - plain.length + 2);
  });

  it.each([
    ['a JPEG without a scale', jfif],
    ['a text', Buffer.from('a picture')],
    ['nothing', Buffer.alloc(0)],
    ['another comment', Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 4, 0x6c, 0x61])],
    ['a segment without length', Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 0, 0xff, 0xfe, 0, 0])],
  ])('read from %s, is undefined', (_, bytes) => expect(parseScale(bytes)).toBeUndefined());
});
