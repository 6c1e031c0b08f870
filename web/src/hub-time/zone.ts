import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, hub } from '../api/client';

const storageKey = 'birdhub.zone';

/** The figures of a day, of today unless said otherwise. */
export const overviewQuery = (date?: string) =>
  queryOptions({
    queryKey: ['overview', date ?? 'today'],
    queryFn: async ({ signal }) => {
      const overview = await answerOf(
        hub.GET('/api/ui/overview', { params: { query: date === undefined ? {} : { date } }, signal }),
      );
      localStorage.setItem(storageKey, overview.observer_timezone);
      return overview;
    },
  });

/** The zone that the hub last said it is in; the browser's before it ever did. */
export function lastKnownZone(): string {
  return localStorage.getItem(storageKey) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The hub's zone (IANA name). Until the hub has said it: the one last known, at first the browser's. */
export function useHubZone(): string {
  const { data } = useQuery({ ...overviewQuery(), select: (overview) => overview.observer_timezone });
  return data ?? lastKnownZone();
}
