import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Kinds of hardware that may encode video. */
export const encodings = ['cpu', 'intel', 'nvidia', 'jetson', 'v4l2'] as const;

/** One of {@link encodings}. */
export type Encoding = (typeof encodings)[number];

/** Hardware of a host that may encode video. */
export interface MediaHardware {
  readonly isJetson: boolean;
  readonly hasNvidia: boolean;
  /** PCI vendors of render devices, such as `0x8086`. */
  readonly renderVendors: readonly string[];
  /** Names of the V4L2 devices. */
  readonly videoDevices: readonly string[];
}

const intel = '0x8086';

/** Returns the best encoding of the hardware; a hint for processors, which know what their ffmpeg supports. */
export function chooseEncoding(hardware: MediaHardware): Encoding {
  if (hardware.isJetson) return 'jetson';
  if (hardware.hasNvidia) return 'nvidia';
  if (hardware.renderVendors.includes(intel)) return 'intel';
  // Cameras are V4L2 devices too.
  return hardware.videoDevices.some((name) => /codec|enc/i.test(name)) ? 'v4l2' : 'cpu';
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function textsOf(files: readonly string[]): string[] {
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8').trim());
}

/** Finds the hardware in `/dev` and `/sys` below a root. */
export function findMediaHardware(root = '/'): MediaHardware {
  const devices = namesIn(join(root, 'dev'));
  const renders = namesIn(join(root, 'dev/dri')).filter((name) => name.startsWith('renderD'));
  const videos = join(root, 'sys/class/video4linux');
  return {
    isJetson: existsSync(join(root, 'etc/nv_tegra_release')) || devices.includes('nvhost-msenc'),
    hasNvidia: devices.includes('nvidia0'),
    renderVendors: textsOf(renders.map((name) => join(root, 'sys/class/drm', name, 'device/vendor'))),
    videoDevices: textsOf(namesIn(videos).map((name) => join(videos, name, 'name'))),
  };
}
