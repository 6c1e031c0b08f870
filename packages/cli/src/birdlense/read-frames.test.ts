import { expect, it } from 'vitest';
import { readFrames } from './read-frames.js';

const box = [0.1, 0.2, 0.3, 0.4];

it.each<[string, string | undefined, unknown[]]>([
  ['none', undefined, []],
  ['null', 'null', []],
  ['broken JSON', '[{"t":', []],
  ['no list', '{"t":1}', []],
  ['boxes', JSON.stringify([{ t: 0.5, bbox: box, score: 1 }]), [{ t: 0.5, bbox: box }]],
  [
    'a box in pixels among others',
    JSON.stringify([
      { t: 0, bbox: [1, 2, 300, 400] },
      { t: 1, bbox: box },
    ]),
    [{ t: 1, bbox: box }],
  ],
  ['a box before the start', JSON.stringify([{ t: -1, bbox: box }]), []],
  ['a box of three corners', JSON.stringify([{ t: 1, bbox: [0, 0, 1] }]), []],
  ['things that are no boxes', '[1, null, "x", []]', []],
])('readFrames, %s, gives what can be drawn', (_, text, expected) => {
  expect(readFrames(text)).toEqual(expected);
});
