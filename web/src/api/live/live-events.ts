import { useEffect, useEffectEvent } from 'react';

/** First elements of query keys that live events invalidate. */
export type Resource =
  | 'birdfood'
  | 'calendar'
  | 'feed'
  | 'highlights'
  | 'jobs'
  | 'neighbors'
  | 'overview'
  | 'region'
  | 'sightings-range'
  | 'species'
  | 'species-visits'
  | 'status'
  | 'storage'
  | 'sun-times'
  | 'timeline'
  | 'timeline-history'
  | 'video'
  | 'weather';

const visits = ['timeline', 'overview', 'highlights', 'species', 'calendar', 'region'] as const;
const recordings = [...visits, 'video', 'neighbors', 'storage'] as const;
/** Queries over long ranges, which a recording of this moment leaves unchanged. */
export const history = ['timeline-history', 'sightings-range', 'species-visits'] as const;

/** The hub's live events and the queries that each invalidates. */
export const invalidatedBy = {
  visit_started: visits,
  visit_extended: ['timeline', 'overview', 'species'],
  recording: recordings,
  recording_removed: [...recordings, ...history],
  recording_purged: ['timeline', 'highlights', 'video', 'storage', 'status'],
  /** Pictures that wait for this event also listen for it directly. */
  pictures: ['video', 'highlights'],
  correction: [...visits, ...history, 'video'],
  notice: [],
  motion: [],
  species: [...visits, ...history, 'video'],
  processor: ['status'],
  settings: 'everything',
  job: [...recordings, ...history, 'jobs', 'status'],
  /** Events were missed. */
  reset: 'everything',
} as const satisfies Record<string, readonly Resource[] | 'everything'>;

/** Name of a live event. */
export type LiveName = keyof typeof invalidatedBy;

export interface LiveEvent {
  readonly name: LiveName;
  readonly data: Readonly<Record<string, unknown>>;
}

export const liveNames = Object.keys(invalidatedBy) as LiveName[];

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

/** Passes an event to all listeners on the page. */
export function emitLiveEvent(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** Calls `listener` for each event of these names while the component is mounted. */
export function useLiveEvents(names: readonly LiveName[], listener: Listener): void {
  const onEvent = useEffectEvent((event: LiveEvent) => {
    if (names.includes(event.name)) listener(event);
  });
  useEffect(() => {
    const own: Listener = (event) => onEvent(event);
    listeners.add(own);
    return () => void listeners.delete(own);
  }, []);
}
