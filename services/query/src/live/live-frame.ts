import type { BusEvent } from '@birdhub/shared/bus';
import { events } from '@birdhub/shared/events';
import { hiddenFields, type LiveName, liveNames } from './live-names.js';

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
