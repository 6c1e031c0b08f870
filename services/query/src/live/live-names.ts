import type { Subject } from '@birdhub/shared/events';

/** What each event of the stream is called by those who listen; several may have one name. */
export const liveNames = {
  'hub.v1.visit.started': 'visit_started',
  'hub.v1.visit.extended': 'visit_extended',
  'hub.v1.recording.upserted': 'recording',
  'hub.v1.recording.removed': 'recording_removed',
  'hub.v1.recording.purged': 'recording_purged',
  'hub.v1.pictures.finished': 'pictures',
  'hub.v1.detection.corrected': 'correction',
  'hub.v1.detection.notified': 'notice',
  'hub.v1.motion.notified': 'motion',
  'hub.v1.species.activated': 'species',
  'hub.v1.species.edited': 'species',
  'hub.v1.species.merged': 'species',
  'hub.v1.species.separated': 'species',
  'hub.v1.processor.reported': 'processor',
  'hub.v1.settings.updated': 'settings',
  'hub.v1.job.finished': 'job',
} as const satisfies Record<Subject, string>;

/** One of the values of {@link liveNames}. */
export type LiveName = (typeof liveNames)[Subject];

const names: ReadonlySet<string> = new Set(Object.values(liveNames));

export function isLiveName(value: string): value is LiveName {
  return names.has(value);
}

/** What everybody may not see, of an event that everybody may. */
export const hiddenFields: Partial<Record<Subject, readonly string[]>> = {
  'hub.v1.settings.updated': ['keys'],
  'hub.v1.detection.notified': ['image_path'],
};
