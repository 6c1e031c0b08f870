/** What the first word of a query's key can be, where the hub tells of changes. */
export type Resource =
  | 'birdfood'
  | 'calendar'
  | 'feed'
  | 'jobs'
  | 'neighbors'
  | 'overview'
  | 'region'
  | 'species'
  | 'status'
  | 'storage'
  | 'sun-times'
  | 'timeline'
  | 'unknowns'
  | 'video'
  | 'weather';

const visits = ['timeline', 'overview', 'species', 'calendar', 'region', 'unknowns'] as const;
const recordings = [...visits, 'video', 'neighbors', 'storage'] as const;

/** The hub's events and what may read differently after each; settings can change anything. */
export const changedBy = {
  visit_started: visits,
  visit_extended: ['timeline', 'overview', 'species'],
  recording: recordings,
  recording_removed: recordings,
  recording_purged: ['timeline', 'video', 'storage', 'status'],
  /** Pictures of a recording: those that wait for them listen themselves. */
  pictures: ['video'],
  correction: [...visits, 'video'],
  notice: [],
  motion: [],
  species: [...visits, 'video'],
  processor: ['status'],
  settings: 'everything',
  job: [...recordings, 'jobs', 'status'],
  /** News were missed. */
  reset: 'everything',
} as const satisfies Record<string, readonly Resource[] | 'everything'>;

/** The name of an event of the hub's stream. */
export type LiveName = keyof typeof changedBy;

export const liveNames = Object.keys(changedBy) as LiveName[];
