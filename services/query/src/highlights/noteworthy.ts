import { localDay } from '@birdhub/shared/time';

/** What makes a visit of a species worth a badge. */
export const noteworthyReasons = ['first_ever', 'new_this_year', 'rare'] as const;

/** One of {@link noteworthyReasons}. */
export type NoteworthyReason = (typeof noteworthyReasons)[number];

/** What a hub knows of a species; instants in ms since the epoch. */
export interface SpeciesHistory {
  /** When it was here last before the visit; null when never. */
  readonly previousAt: number | null;
  /** Its visits, and those of all species. */
  readonly visits: number;
  readonly hubVisits: number;
  /** The first visit of any bird; null without any. */
  readonly hubSince: number | null;
}

const dayMs = 86_400_000;
/** Before that everything is new. */
const minHistoryMs = 14 * dayMs;
const minHubVisits = 300;
const rareShare = 0.002;
const rareVisits = 3;

const yearOf = (zone: string, instant: number) => localDay(zone, instant).slice(0, 4);

/** Returns why a visit at a time is worth a badge; undefined when it is not, or the hub is too new to say. */
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

/** Returns how rare a species is, 0 (every other visit) to 1; of few visits nothing is said. */
export function rarityOf({ visits, hubVisits }: Pick<SpeciesHistory, 'visits' | 'hubVisits'>): number {
  if (hubVisits <= 0 || visits <= 0) return 0;
  const trust = hubVisits / (hubVisits + minHubVisits);
  return trust * Math.min(1, Math.max(0, Math.log10(hubVisits / visits) / 3));
}
