import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseEncoding, findGpuProbe, findMediaHardware } from './host-reader.js';

describe('findGpuProbe', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'hub-gpu-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function put(file: string, text: string): string {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  function script(body: string): string {
    const path = put('tool', `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it('without a GPU, is undefined', () => {
    put('sys/class/drm/card0-HDMI-A-1/device/gpu_busy_percent', '9');
    expect(findGpuProbe(root)).toBeUndefined();
  });

  it.each([
    ['sys/class/drm/card1/device/gpu_busy_percent', '37\n', 37],
    ['sys/devices/gpu.0/load', '455\n', 45.5],
    ['sys/devices/platform/gpu.0/load', '1000', 100],
  ])('with a driver that reports in %s, reads it', async (file, text, percent) => {
    put(file, text);
    expect(await findGpuProbe(root)?.()).toBe(percent);
  });

  it('with NVIDIA cards, runs their tool and takes the busiest', async () => {
    put('dev/nvidia0', '');
    const command = script('echo 12; echo 77; echo 5');
    expect(await findGpuProbe(root, { command, args: [] })?.()).toBe(77);
  });

  it('with a tool that hangs, kills it', async () => {
    put('dev/nvidia0', '');
    const command = script('exec sleep 60');
    await expect(findGpuProbe(root, { command, args: [] })?.()).rejects.toMatchObject({ killed: true });
  });

  it('with a missing tool, fails', async () => {
    put('dev/nvidia0', '');
    await expect(findGpuProbe(root, { command: join(root, 'none'), args: [] })?.()).rejects.toThrow('ENOENT');
  });
});

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
  ])('on a host %s, is found', (_, files, expected) => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    expect(chooseEncoding(findMediaHardware(root))).toBe(expected);
  });
});
