import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseEncoding, findMediaHardware } from './encoding.js';

describe('the encoding hint', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hub-host-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it.each<[string, Record<string, string>, string]>([
    ['with nothing', {}, 'cpu'],
    [
      'with an Intel GPU',
      { 'dev/dri/renderD128': '', 'sys/class/drm/renderD128/device/vendor': '0x8086\n' },
      'intel',
    ],
    [
      'with the GPU of another maker',
      { 'dev/dri/renderD128': '', 'sys/class/drm/renderD128/device/vendor': '0x1002\n' },
      'cpu',
    ],
    ['with a GPU that does not name its maker', { 'dev/dri/renderD128': '' }, 'cpu'],
    [
      'with an NVIDIA card beside an Intel GPU',
      {
        'dev/nvidia0': '',
        'dev/dri/renderD128': '',
        'sys/class/drm/renderD128/device/vendor': '0x8086',
      },
      'nvidia',
    ],
    ['on a Jetson', { 'etc/nv_tegra_release': 'R36', 'dev/nvidia0': '' }, 'jetson'],
    ['on a Raspberry Pi', { 'sys/class/video4linux/video11/name': 'bcm2835-codec-encode\n' }, 'v4l2'],
    ['with a camera alone', { 'sys/class/video4linux/video0/name': 'HD Webcam\n' }, 'cpu'],
  ])('%s, is found', (_, files, expected) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    expect(chooseEncoding(findMediaHardware(root))).toBe(expected);
  });
});
