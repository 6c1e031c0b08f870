import type { Crops } from '../detection-crop/crops.js';

/** Fake crops of a given size. */
export interface FakeCrops extends Crops {
  /** Number of returned crops. */
  readonly returnedCount: number;
}

export function createFakeCrops(bytes: number): FakeCrops {
  const picture = Buffer.alloc(bytes, 'crop');
  let returnedCount = 0;
  const makeCrops = async (count: number) => {
    returnedCount += count;
    return Array.from({ length: count }, () => picture);
  };
  return {
    get returnedCount() {
      return returnedCount;
    },
    readStored: async () => undefined,
    version: async (videoPath) => videoPath,
    read: (_videoPath, crops) => makeCrops(crops.length),
    drawSound: async () => picture,
    readSized: async () => picture,
    measure: () => undefined,
    readFrames: (_videoPath, times) => makeCrops(times.length),
  };
}
