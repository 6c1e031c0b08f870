import { queryOptions, useQuery } from '@tanstack/react-query';
import { hub, unwrap } from '../api/client';
import type { components } from '../api/schema';
import { parseStored, readStored, store } from './storage';

type Status = components['schemas']['Status'];

/** Settings of the hub that every page uses. */
export interface HubFacts {
  readonly name: string;
  readonly units: Status['units'];
  readonly timeFormat: Status['time_format'];
  /** The zone of the hub's days (IANA name). */
  readonly zone: string;
  /** Detections with less confidence (0 to 1) need review. */
  readonly doubtThreshold: number;
  /** Whether public links may be created. */
  readonly isSharingAllowed: boolean;
}

const storageKey = 'birdhub.facts';

/** Cache of the stored facts, as parsing them for every component is slow. */
let lastKnown: { readonly stored: string | null; readonly facts: HubFacts } | undefined;

const defaultFacts = (): HubFacts => ({
  name: 'Birdhub',
  units: 'metric',
  timeFormat: 'auto',
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  doubtThreshold: 0.5,
  isSharingAllowed: true,
});

const factsOf = (status: Status): HubFacts => ({
  name: status.app_name,
  units: status.units,
  timeFormat: status.time_format,
  zone: status.timezone,
  doubtThreshold: status.doubt_threshold,
  isSharingAllowed: status.sharing_enabled,
});

/** Status of every part of the hub, including the facts from its settings. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) => {
    const status = await unwrap(hub.GET('/api/ui/status', { signal }));
    store(storageKey, JSON.stringify(factsOf(status)));
    return status;
  },
});

/** Whether a part of the hub does not work, so that birds may be missing. */
export const hasProblem = ({ storage, processor, sources }: Status) =>
  storage === 'error' ||
  processor === 'error' ||
  sources.some(({ state }) => state === 'error' || state === 'silent');

/** Poll interval of the status, as no live event reports that a detector stopped responding. */
export const statusIntervalMs = 60_000;

/** Returns the facts of the last response in this browser, so that the name is stable while loading, or defaults. */
export function lastKnownFacts(): HubFacts {
  const stored = readStored(storageKey);
  if (lastKnown?.stored !== stored)
    lastKnown = { stored, facts: { ...defaultFacts(), ...parseStored(stored) } };
  return lastKnown.facts;
}

const factsStaleMs = 300_000;

/** Returns the facts of the hub; the last known ones until the hub responds. */
export function useHubFacts(): HubFacts {
  const { data } = useQuery({ ...statusQuery, select: factsOf, staleTime: factsStaleMs });
  return data ?? lastKnownFacts();
}
