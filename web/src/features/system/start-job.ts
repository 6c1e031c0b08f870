import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';

export type Job = components['schemas']['Job'];

/** The jobs that somebody may start; visits are counted anew when zone or gap change. */
export const startableJobs = {
  scan: () => unwrap(hub.POST('/api/ui/system/recordings/scan', { body: { background: true } })),
  'media-repair': () => unwrap(hub.POST('/api/ui/system/repair-media', { body: {} })),
  spectrograms: () => unwrap(hub.POST('/api/ui/system/regenerate-spectrograms', { body: {} })),
  tracks: () => unwrap(hub.POST('/api/ui/system/regenerate-tracks', { body: {} })),
} as const satisfies Partial<Record<Job['kind'], () => Promise<unknown>>>;

export type StartableJob = keyof typeof startableJobs;
