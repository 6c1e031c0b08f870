import { expect, it } from 'vitest';
import { toHubPath } from './hub-path.js';

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
])('toHubPath, %j, %j', (path, expected) => {
  expect(toHubPath(path)).toBe(expected);
});
