import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTimeFormat } from '../../lib/format';
import type { FindableSpecies } from '../../lib/rank-species';
import { useFindableSpecies } from '../../lib/species-list';
import { overviewQuery } from '../today/overview-query';
import { likelySpecies } from './likely-species';
import { seasonsQuery } from './review-queries';
import type { Unknown } from './review-queue';

/** The species that a detection may be instead, the likeliest first, for the keys 1 to 3. */
export function useLikely(item: Unknown): readonly FindableSpecies[] {
  const { dayOf, hourOf } = useTimeFormat();
  const all = useFindableSpecies();
  const date = dayOf(item.start_time);
  const { data: calendar } = useQuery(seasonsQuery);
  const { data: overview } = useQuery({ ...overviewQuery(date), staleTime: 600_000 });
  const hour = Math.floor(hourOf(item.start_time));
  return useMemo(() => {
    const guess = item.review_reason === 'generic_species' ? undefined : item.species_id;
    const then = { month: Number(date.slice(5, 7)) - 1, hour };
    const ids = likelySpecies(guess, { ...then, calendar: calendar ?? [], day: overview?.topSpecies ?? [] });
    const known = new Map(all?.map((one) => [one.species.id, one]));
    return ids.flatMap((id) => known.get(id) ?? []);
  }, [item, date, hour, all, calendar, overview]);
}
