import type { ServerResponse } from 'node:http';
import type { BusEvent } from '@birdhub/shared/bus';
import { events, type Subject } from '@birdhub/shared/events';

/** The part of a response that clients need. */
export type LiveSink = Pick<
  ServerResponse,
  'write' | 'end' | 'destroy' | 'once' | 'off' | 'destroyed' | 'writableLength' | 'writableNeedDrain'
>;

/** Events received together, and their concatenated bytes for clients that need all of them. */
export interface LiveBatch {
  readonly frames: readonly LiveFrame[];
  readonly bytes: Buffer;
}

/** Maximum unsent bytes of a slow client before it is disconnected; it reconnects with the id of its last event. */
const maxWaitingBytes = 1024 * 1024;
const drainTimeoutMs = 30_000;
/** A client that reads nothing during this many consecutive heartbeats is disconnected. */
const maxStalledBeats = 3;

export function toBatch(frames: readonly LiveFrame[]): LiveBatch {
  return { frames, bytes: Buffer.concat(frames.map((frame) => frame.bytes)) };
}

/** A connected client of `GET /events`, which receives the events of some names, or all of them. */
export class LiveClient {
  readonly #sink: LiveSink;
  readonly #wanted: ReadonlySet<LiveName> | undefined;
  #position = 0;
  #lastWaitingBytes = 0;
  #stalledBeats = 0;

  constructor(sink: LiveSink, wanted: ReadonlySet<LiveName> | undefined) {
    this.#sink = sink;
    this.#wanted = wanted;
  }

  /** Sequence number up to which it has received every event that it wants. */
  get position(): number {
    return this.#position;
  }

  /** Sends the position at which the stream starts. */
  open(position: number | undefined): void {
    this.#position = position ?? 0;
    this.#write(openingBlock(position));
  }

  /** Sends the events of a batch that it wants and has not received. */
  send(batch: LiveBatch): void {
    const bytes = this.#pick(batch);
    this.#position = Math.max(this.#position, batch.frames.at(-1)?.sequence ?? 0);
    if (bytes.length) this.#write(bytes);
  }

  beat(): void {
    const waitingBytes = this.#sink.writableLength;
    this.#stalledBeats =
      waitingBytes > 0 && waitingBytes >= this.#lastWaitingBytes ? this.#stalledBeats + 1 : 0;
    if (this.#stalledBeats >= maxStalledBeats) this.#sink.destroy();
    else this.#write(heartbeatBlock(this.#wanted && this.#position ? this.#position : undefined));
    this.#lastWaitingBytes = this.#sink.writableLength;
  }

  /** Sends a `reset` event, as events are missing, and continues after this position. */
  reset(position: number | undefined): void {
    this.#position = position ?? 0;
    this.#write(resetBlock(position));
  }

  /** Resolves when the socket is drained; a client that stalls too long is disconnected. */
  async drained(): Promise<void> {
    const sink = this.#sink;
    if (!sink.writableNeedDrain || sink.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => sink.destroy(), drainTimeoutMs);
      const settle = () => {
        clearTimeout(timer);
        sink.off('drain', settle).off('close', settle);
        resolve();
      };
      sink.once('drain', settle).once('close', settle);
    });
  }

  end(): void {
    this.#sink.end();
  }

  #write(block: string | Buffer): void {
    if (this.#sink.destroyed) return;
    this.#sink.write(block);
    if (this.#sink.writableLength > maxWaitingBytes) this.#sink.destroy();
  }

  #pick({ frames, bytes }: LiveBatch): Buffer {
    const wanted = this.#wanted;
    const isNew = ({ sequence }: LiveFrame) => sequence > this.#position;
    const [first] = frames;
    if (!wanted && first && isNew(first)) return bytes;
    return toBatch(frames.filter((frame) => isNew(frame) && (!wanted || wanted.has(frame.name)))).bytes;
  }
}

/** An event as it is sent, serialised once for all clients. */
export interface LiveFrame {
  /** Its sequence number in the stream, which is its id on the wire. */
  readonly sequence: number;
  readonly name: LiveName;
  readonly bytes: Buffer;
}

/** Serialises only fields of the catalogue, as a newer service may have added fields that are not public. */
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

/** The reconnection delay, and the id of the event after which a reconnecting client continues. */
export function openingBlock(position: number | undefined): string {
  return `retry: 2000\n${position === undefined ? '' : idLine(position)}\n`;
}

/** The event `reset`: events are missing, so the client has to read its data again. */
export function resetBlock(position: number | undefined): string {
  return `${idLine(position)}event: reset\ndata: {}\n\n`;
}

/** Keeps the connection alive; a position advances the last event id of a client that receives few events. */
export function heartbeatBlock(position: number | undefined): string {
  return position === undefined ? ':\n\n' : `:\n${idLine(position)}\n`;
}

/** The public names of the events of the stream; several may share a name. */
export const liveNames = {
  'hub.v1.visit.started': 'visit_started',
  'hub.v1.visit.extended': 'visit_extended',
  'hub.v1.recording.upserted': 'recording',
  'hub.v1.recording.removed': 'recording_removed',
  'hub.v1.recording.purged': 'recording_purged',
  'hub.v1.media.uploaded': 'media',
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

/** Non-public fields of a public event. */
const hiddenFields: Partial<Record<Subject, readonly string[]>> = {
  'hub.v1.settings.updated': ['keys'],
  'hub.v1.detection.notified': ['image_path'],
  'hub.v1.media.uploaded': ['path'],
};
