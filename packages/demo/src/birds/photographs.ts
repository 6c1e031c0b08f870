import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A photograph of a bird without background, and its recorded call. */
export interface Photograph {
  /** Path in the folder of photographs. */
  readonly file: string;
  readonly facesLeft: boolean;
  /** Position of the feet as shares of the width and the height. */
  readonly foot: readonly [x: number, y: number];
  /** Size in the picture; 1 is a great tit. */
  readonly size: number;
  /** Path of the recorded call in the folder of photographs. */
  readonly call?: string;
}

/** Where Debian's package tuxpaint-stamps-default installs its pictures and sounds of birds. */
const debianFolder = '/usr/share/tuxpaint/stamps/animals/birds';

const crow = { file: 'crow.png', facesLeft: true, foot: [0.3, 0.97], size: 1.9, call: 'crow.ogg' } as const;

/** The birds with a photograph in that package, by the names of their looks. */
const photographs: Readonly<Record<string, Photograph>> = {
  'Eurasian Blackbird, photograph': {
    file: 'blackbird.png',
    facesLeft: false,
    foot: [0.69, 0.99],
    size: 1.4,
    call: 'blackbird.ogg',
  },
  'Carrion Crow, photograph': crow,
  'American Crow, photograph': crow,
  'Rock Pigeon, photograph': { file: 'pigeon.png', facesLeft: true, foot: [0.28, 0.99], size: 1.7 },
  'Horned Lark, photograph': {
    file: 'lark.png',
    facesLeft: false,
    foot: [0.66, 0.98],
    size: 1.1,
    call: 'lark.ogg',
  },
  'Mallard, photograph': {
    file: 'duck.png',
    facesLeft: false,
    foot: [0.55, 0.99],
    size: 2.1,
    call: 'duck.ogg',
  },
};

/** The names of all looks that are photographs. */
export const photographed: readonly string[] = Object.keys(photographs);

/** Returns the photograph of a look; undefined for a drawn one. */
export const photographOf = (look: string): Photograph | undefined =>
  Object.hasOwn(photographs, look) ? photographs[look] : undefined;

/** Returns the folder of the photographs if all of them and their calls are installed. */
export function findPhotographs(folder = debianFolder): string | undefined {
  const files = Object.values(photographs).flatMap(({ file, call }) => [file, ...(call ? [call] : [])]);
  return files.every((file) => existsSync(join(folder, file))) ? folder : undefined;
}
