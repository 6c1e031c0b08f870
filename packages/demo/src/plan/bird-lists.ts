import type { Place as ScenePlace } from '../scenes/index.js';

/** A species of the demo. */
export interface GardenBird {
  /** Its name in the catalogue. */
  readonly name: string;
  /** How it looks: a male and a female, where they differ. Its name when left out. */
  readonly looks?: readonly string[];
  /** The most that come at once. */
  readonly flock: 1 | 2 | 3;
  /** Where it comes; everywhere when left out. */
  readonly only?: ScenePlace;
  /** How many come in the cold and in the warm half of the year, where that differs; 1 is as many as ever. */
  readonly winter?: number;
  readonly summer?: number;
}

/** The birds of a region, the most frequent first, the owl of its nights and the squirrel of its gardens. */
export interface BirdList {
  readonly birds: readonly GardenBird[];
  readonly owl: string;
  readonly squirrel: string;
}

/** The parts of the world whose birds the demo has. */
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
      looks: ['Eurasian Blackbird', 'Eurasian Blackbird, female'],
      flock: 2,
      only: 'garden',
    },
    { name: 'European Robin', flock: 1 },
    { name: 'Common Chaffinch', flock: 2 },
    { name: 'European Goldfinch', flock: 2 },
    { name: 'European Greenfinch', flock: 2 },
    { name: 'Eurasian Tree Sparrow', flock: 3, only: 'garden' },
    { name: 'Common Wood-Pigeon', flock: 1, only: 'garden' },
    { name: 'Eurasian Collared-Dove', flock: 2, only: 'balcony' },
    { name: 'Eurasian Nuthatch', flock: 1, only: 'garden' },
    { name: 'Great Spotted Woodpecker', flock: 1, only: 'garden' },
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
    { name: 'American Goldfinch', flock: 3, winter: 0.5, summer: 1.5 },
    { name: 'Blue Jay', flock: 2 },
    { name: 'Dark-eyed Junco', flock: 3, only: 'garden', winter: 2, summer: 0.02 },
    { name: 'Tufted Titmouse', flock: 2 },
    { name: 'House Sparrow', flock: 3 },
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

/** The birds of each region. */
export const birdLists: Readonly<Record<Region, BirdList>> = { europe, america };

/** Returns how likely the bird at a place of its list is, counted from 0: Zipf's law. */
export function zipfWeight(rank: number): number {
  return 1 / (rank + 1) ** 0.9;
}
