import { dayMs, localDay } from '@birdhub/shared/time';

/** Reasons why a visit is noteworthy. */
export const noteworthyReasons = ['first_ever', 'new_this_year', 'rare'] as const;

/** One of {@link noteworthyReasons}. */
export type NoteworthyReason = (typeof noteworthyReasons)[number];

/** The history of a species at the hub; instants in ms since the epoch. */
export interface SpeciesHistory {
  /** Start of the previous visit; null when there is none. */
  readonly previousAt: number | null;
  readonly visits: number;
  /** Visits of all species. */
  readonly hubVisits: number;
  /** Time of the first visit of any species; null without visits. */
  readonly hubSince: number | null;
}

/** At a younger hub, every species is new. */
const minHistoryMs = 14 * dayMs;
const minHubVisits = 300;
const rareShare = 0.002;
const rareVisits = 3;

const yearOf = (zone: string, instant: number) => localDay(zone, instant).slice(0, 4);

/** Returns why a visit at a time is noteworthy; undefined when it is not, or while the hub has too little history. */
export function noteworthyReason(
  { previousAt, visits, hubVisits, hubSince }: SpeciesHistory,
  at: number,
  zone: string,
): NoteworthyReason | undefined {
  if (hubSince === null || at - hubSince < minHistoryMs) return undefined;
  if (previousAt === null) return 'first_ever';
  if (yearOf(zone, previousAt) !== yearOf(zone, at)) return 'new_this_year';
  const isRare = hubVisits >= minHubVisits && visits <= Math.max(rareVisits, rareShare * hubVisits);
  return isRare ? 'rare' : undefined;
}

/** Returns the rarity of a species, 0 to 1; lower while the hub has few visits, as they are little evidence. */
export function rarityOf({ visits, hubVisits }: Pick<SpeciesHistory, 'visits' | 'hubVisits'>): number {
  if (hubVisits <= 0 || visits <= 0) return 0;
  const certainty = hubVisits / (hubVisits + minHubVisits);
  return certainty * Math.min(1, Math.max(0, Math.log10(hubVisits / visits) / 3));
}
