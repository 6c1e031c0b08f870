/** The colours the demo can paint a bird in; the nearest one stands for a species. */
export const coats = ['red', 'blue', 'yellow', 'brown', 'dark', 'grey'] as const;
export type Coat = (typeof coats)[number];

/** A species of the demo; `flock` is the most that come at once. */
export type GardenBird = { name: string; coat: Coat; flock: 1 | 2 | 3 };

/** The birds of a region, the most frequent first, and the owl that calls at night. */
export type BirdList = { birds: readonly GardenBird[]; owl: string };

export const regions = ['europe', 'america'] as const;
export type Region = (typeof regions)[number];

const europe: BirdList = {
  owl: 'Tawny Owl',
  birds: [
    { name: 'House Sparrow', coat: 'brown', flock: 3 },
    { name: 'Great Tit', coat: 'yellow', flock: 2 },
    { name: 'Eurasian Blue Tit', coat: 'blue', flock: 2 },
    { name: 'Eurasian Blackbird', coat: 'dark', flock: 1 },
    { name: 'European Robin', coat: 'red', flock: 1 },
    { name: 'Common Chaffinch', coat: 'red', flock: 2 },
    { name: 'European Greenfinch', coat: 'yellow', flock: 2 },
    { name: 'Eurasian Tree Sparrow', coat: 'brown', flock: 3 },
    { name: 'Common Wood-Pigeon', coat: 'grey', flock: 2 },
    { name: 'Eurasian Magpie', coat: 'dark', flock: 2 },
    { name: 'European Goldfinch', coat: 'yellow', flock: 2 },
    { name: 'Eurasian Nuthatch', coat: 'blue', flock: 1 },
    { name: 'European Starling', coat: 'dark', flock: 3 },
    { name: 'Great Spotted Woodpecker', coat: 'red', flock: 1 },
  ],
};

const america: BirdList = {
  owl: 'Eastern Screech-Owl',
  birds: [
    { name: 'House Finch', coat: 'red', flock: 2 },
    { name: 'Black-capped Chickadee', coat: 'grey', flock: 2 },
    { name: 'Northern Cardinal', coat: 'red', flock: 2 },
    { name: 'Mourning Dove', coat: 'brown', flock: 3 },
    { name: 'American Goldfinch', coat: 'yellow', flock: 2 },
    { name: 'Blue Jay', coat: 'blue', flock: 2 },
    { name: 'Dark-eyed Junco', coat: 'dark', flock: 3 },
    { name: 'Tufted Titmouse', coat: 'grey', flock: 2 },
    { name: 'Downy Woodpecker', coat: 'dark', flock: 1 },
    { name: 'American Robin', coat: 'red', flock: 1 },
    { name: 'White-breasted Nuthatch', coat: 'grey', flock: 1 },
    { name: 'House Sparrow', coat: 'brown', flock: 3 },
    { name: 'European Starling', coat: 'dark', flock: 3 },
    { name: 'Eastern Bluebird', coat: 'blue', flock: 1 },
  ],
};

/** The birds of each region. */
export const birdLists: Record<Region, BirdList> = { europe, america };

/** Zipf weight of the bird at a place of its list, counted from 0. */
export function zipfWeight(rank: number): number {
  return 1 / (rank + 1) ** 1.1;
}
