import type { Crops } from '../detection-crop/crops.js';

/** Fake crops of a given size. */
export interface FakeCrops extends Crops {
  /** Number of returned crops. */
  readonly handedOut: number;
}

export function createFakeCrops(bytes: number): FakeCrops {
  const picture = Buffer.alloc(bytes, 'crop');
  let handedOut = 0;
  const give = async (count: number) => {
    handedOut += count;
    return Array.from({ length: count }, () => picture);
  };
  return {
    get handedOut() {
      return handedOut;
    },
    readStored: async () => undefined,
    version: async (videoPath) => videoPath,
    read: (_videoPath, crops) => give(crops.length),
    drawSound: async () => picture,
    readSized: async () => picture,
    measure: () => undefined,
    readFrames: (_videoPath, times) => give(times.length),
  };
}
