import type { BusEvent } from '@birdhub/shared/bus';
import { events, type Subject } from '@birdhub/shared/events';

/** An event as it goes over the wire, made once for all who listen. */
export interface LiveFrame {
  /** Its place in the stream, which is its id on the wire. */
  readonly sequence: number;
  readonly name: LiveName;
  readonly bytes: Buffer;
}

/** Only what the catalogue knows of is shown: a newer service may have added what is not for everybody. */
export function toFrame({ subject, payload, sequence }: BusEvent): LiveFrame {
  const hidden = hiddenFields[subject] ?? [];
  const shown = Object.entries(payload).filter(
    ([key]) => key in events[subject].schema.properties && !hidden.includes(key),
  );
  const name = liveNames[subject];
  const data = JSON.stringify(Object.fromEntries(shown));
  return { sequence, name, bytes: Buffer.from(`id: ${sequence}\nevent: ${name}\ndata: ${data}\n\n`) };
}

const idLine = (position: number | undefined) => `id: ${position ?? ''}\n`;

/** How long a client waits before it connects again, and the event it would then go on behind. */
export function openingBlock(position: number | undefined): string {
  return `retry: 2000\n${position === undefined ? '' : idLine(position)}\n`;
}

/** Says that events are missing here: what the client shows must be read anew. */
export function resetBlock(position: number | undefined): string {
  return `${idLine(position)}event: reset\ndata: {}\n\n`;
}

/** Keeps the connection from being taken for dead; a position moves the id of who sees few events along. */
export function heartbeatBlock(position: number | undefined): string {
  return position === undefined ? ':\n\n' : `:\n${idLine(position)}\n`;
}

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
const hiddenFields: Partial<Record<Subject, readonly string[]>> = {
  'hub.v1.settings.updated': ['keys'],
  'hub.v1.detection.notified': ['image_path'],
};
