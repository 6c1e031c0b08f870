import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, hub } from '../api/client';
import type { components } from '../api/schema';

type Status = components['schemas']['Status'];

/** What every page says of the hub, as its settings have it. */
export interface HubFacts {
  readonly name: string;
  readonly units: Status['units'];
  /** The zone of the hub's days (IANA name). */
  readonly zone: string;
  /** Detections of less confidence (0 to 1) are to be reviewed. */
  readonly doubtThreshold: number;
}

const storageKey = 'birdhub.facts';
const factsBeforeAny = (): HubFacts => ({
  name: 'Birdhub',
  units: 'metric',
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  doubtThreshold: 0.5,
});

const factsOf = ({ app_name, units, timezone, doubt_threshold }: Status): HubFacts => ({
  name: app_name,
  units,
  zone: timezone,
  doubtThreshold: doubt_threshold,
});

/** How every part of the hub is, and what it is called. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => {
    const status = await answerOf(hub.GET('/api/ui/status', { signal }));
    localStorage.setItem(storageKey, JSON.stringify(factsOf(status)));
    return status;
  },
});

/** How often the status is asked for where it is shown: nothing tells that a processor has fallen silent. */
export const statusMs = 60_000;

/** What the hub last said here, so that a page does not begin with another name; before it ever did, the zone is the browser's. */
export function lastKnownFacts(): HubFacts {
  return { ...factsBeforeAny(), ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') };
}

const factsMs = 300_000;

/** What every page needs to know of the hub; what was last known until it has said so. */
export function useHubFacts(): HubFacts {
  const { data } = useQuery({ ...statusQuery, select: factsOf, staleTime: factsMs });
  return data ?? lastKnownFacts();
}
