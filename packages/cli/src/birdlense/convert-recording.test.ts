import { expect, it } from 'vitest';
import { readFrames, toHubPath } from './convert-recording.js';

it.each([
  ['data/recordings/2025/01/02/101010/video.mp4', 'data/recordings/2025/01/02/101010/video.mp4'],
  ['/app/data/recordings/2025/a.mp4', 'data/recordings/2025/a.mp4'],
  ['./data/recordings/2025/a.mp4', 'data/recordings/2025/a.mp4'],
  ['../data/recordings/2025/a.mp4', 'data/recordings/2025/a.mp4'],
  ['2025/a.mp4', 'data/recordings/2025/a.mp4'],
  ['data/recordings/data/recordings/a.mp4', undefined],
  ['/app/data/recordings/data/recordings/a.mp4', undefined],
  ['data/recordings/old/data/recordings/a.mp4', 'data/recordings/old/data/recordings/a.mp4'],
  ['/srv/videos/a.mp4', undefined],
  ['data/recordings/../../etc/passwd', undefined],
  ['', undefined],
])('toHubPath, %j, returns %j', (path, expected) => {
  expect(toHubPath(path)).toBe(expected);
});

const box = [0.1, 0.2, 0.3, 0.4];

it.each<[string, string | undefined, unknown[]]>([
  ['nothing', undefined, []],
  ['null', 'null', []],
  ['broken JSON', '[{"t":', []],
  ['an object instead of a list', '{"t":1}', []],
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
  ['a box of three numbers', JSON.stringify([{ t: 1, bbox: [0, 0, 1] }]), []],
  ['a list of other values', '[1, null, "x", []]', []],
])('readFrames, %s, returns the valid boxes', (_, text, expected) => {
  expect(readFrames(text)).toEqual(expected);
});
