import { photographOf } from '../birds/index.js';
import type { Place as ScenePlace } from '../scenes/index.js';

/** A species of the demo. */
export interface GardenBird {
  /** Its name in the catalogue. */
  readonly name: string;
  /** Names of its pictures: male and female, where they differ, drawn or photographed. Default: its name. */
  readonly looks?: readonly string[];
  /** Maximum number of birds at the same time. */
  readonly flock: 1 | 2 | 3;
  /** The only camera that sees it. Default: all cameras. */
  readonly only?: ScenePlace;
  /** Factors of its frequency in winter and summer. Default: 1. */
  readonly winter?: number;
  readonly summer?: number;
}

/** The birds of a region, most frequent first, and its owl and squirrel. */
export interface BirdList {
  readonly birds: readonly GardenBird[];
  readonly owl: string;
  readonly squirrel: string;
  /** Folder of the photographs; absent for a list with drawn birds only. */
  readonly photographsDir?: string | undefined;
}

/** The regions of the world with birds in the demo. */
export const regions = ['europe', 'america'] as const;

/** One of {@link regions}. */
export type Region = (typeof regions)[number];

const europe: BirdList = {
  owl: 'Tawny Owl',
  squirrel: 'Eurasian Red Squirrel',
  birds: [
    { name: 'House Sparrow', flock: 3 },
    { name: 'Great Tit', flock: 2 },
    { name: 'Eurasian Blue Tit', flock: 2 },
    {
      name: 'Eurasian Blackbird',
      looks: ['Eurasian Blackbird', 'Eurasian Blackbird, photograph', 'Eurasian Blackbird, female'],
      flock: 2,
      only: 'garden',
    },
    { name: 'European Robin', flock: 1 },
    { name: 'Rock Pigeon', looks: ['Rock Pigeon, photograph'], flock: 2, only: 'garden' },
    { name: 'Common Chaffinch', flock: 2 },
    { name: 'European Goldfinch', flock: 2 },
    { name: 'European Greenfinch', flock: 2 },
    { name: 'Carrion Crow', looks: ['Carrion Crow, photograph'], flock: 1, only: 'garden' },
    { name: 'Eurasian Tree Sparrow', flock: 3, only: 'garden' },
    { name: 'Common Wood-Pigeon', flock: 1, only: 'garden' },
    { name: 'Eurasian Collared-Dove', flock: 2, only: 'balcony' },
    { name: 'Eurasian Nuthatch', flock: 1, only: 'garden' },
    { name: 'Great Spotted Woodpecker', flock: 1, only: 'garden' },
    { name: 'Mallard', looks: ['Mallard, photograph'], flock: 1, only: 'garden', winter: 0.3 },
    { name: 'Eurasian Magpie', flock: 1 },
    { name: 'Coal Tit', flock: 2, only: 'garden' },
    { name: 'Eurasian Jay', flock: 1, only: 'garden' },
    { name: 'European Starling', flock: 3, only: 'garden', winter: 0.15, summer: 1.6 },
    { name: 'Eurasian Bullfinch', flock: 2, only: 'garden', winter: 1.6, summer: 0.4 },
    { name: 'Long-tailed Tit', flock: 3, only: 'garden', winter: 1.6, summer: 0.3 },
    { name: 'Eurasian Siskin', flock: 3, only: 'garden', winter: 2.2, summer: 0.02 },
    { name: 'Dunnock', flock: 1, only: 'garden' },
    { name: 'Eurasian Wren', flock: 1, only: 'garden' },
  ],
};

const america: BirdList = {
  owl: 'Eastern Screech-Owl',
  squirrel: 'Eastern Gray Squirrel',
  birds: [
    { name: 'House Finch', flock: 2 },
    { name: 'Black-capped Chickadee', flock: 2 },
    { name: 'Northern Cardinal', looks: ['Northern Cardinal', 'Northern Cardinal, female'], flock: 2 },
    { name: 'Mourning Dove', flock: 2 },
    { name: 'American Crow', looks: ['American Crow, photograph'], flock: 1, only: 'garden' },
    { name: 'American Goldfinch', flock: 3, winter: 0.5, summer: 1.5 },
    { name: 'Blue Jay', flock: 2 },
    { name: 'Rock Pigeon', looks: ['Rock Pigeon, photograph'], flock: 2, only: 'garden' },
    { name: 'Dark-eyed Junco', flock: 3, only: 'garden', winter: 2, summer: 0.02 },
    { name: 'Tufted Titmouse', flock: 2 },
    { name: 'House Sparrow', flock: 3 },
    { name: 'Horned Lark', looks: ['Horned Lark, photograph'], flock: 1, only: 'garden', summer: 0.2 },
    { name: 'Mallard', looks: ['Mallard, photograph'], flock: 1, only: 'garden', winter: 0.3 },
    { name: 'Downy Woodpecker', flock: 1, only: 'garden' },
    { name: 'White-breasted Nuthatch', flock: 1, only: 'garden' },
    { name: 'American Robin', flock: 1, only: 'garden', winter: 0.15, summer: 1.7 },
    { name: 'European Starling', flock: 3, only: 'garden' },
    { name: 'Carolina Wren', flock: 1, only: 'garden' },
    { name: 'Red-bellied Woodpecker', flock: 1, only: 'garden' },
    { name: 'Eastern Bluebird', flock: 1, only: 'garden', winter: 0.2, summer: 1.4 },
    { name: 'Red-winged Blackbird', flock: 2, only: 'garden', winter: 0.02, summer: 1.7 },
  ],
};

const birdLists: Readonly<Record<Region, BirdList>> = { europe, america };

/** Returns the birds of a region: with photographs those that have one look like it, and without only drawn ones visit. */
export function birdListOf(region: Region, photographsDir?: string): BirdList {
  const list = birdLists[region];
  const isPhotograph = (look: string) => photographOf(look) !== undefined;
  const birds = list.birds.flatMap((bird): GardenBird[] => {
    if (!bird.looks?.some(isPhotograph)) return [bird];
    const isHidden = (look: string) =>
      photographsDir === undefined ? isPhotograph(look) : look === bird.name;
    const looks = bird.looks.filter((look) => !isHidden(look));
    return looks.length ? [{ ...bird, looks }] : [];
  });
  return { ...list, birds, photographsDir };
}

/** Returns the relative frequency of the bird at a rank of its list, counted from 0, by Zipf's law. */
export function zipfWeight(rank: number): number {
  return 1 / (rank + 1) ** 0.9;
}
