import type { ServerResponse } from 'node:http';
import { heartbeatBlock, type LiveFrame, type LiveName, openingBlock, resetBlock } from './live-frame.js';

/** The part of an answer that a client is written to. */
export type LiveSink = Pick<
  ServerResponse,
  'write' | 'end' | 'destroy' | 'once' | 'off' | 'destroyed' | 'writableLength' | 'writableNeedDrain'
>;

/** Events that came together, and their bytes for those who want and miss all of them. */
export interface LiveBatch {
  readonly frames: readonly LiveFrame[];
  readonly bytes: Buffer;
}

/** Somebody who listens. */
export interface LiveClient {
  /** The event up to which it has everything that it wants. */
  readonly position: number;
  /** Says where it begins. */
  open(position: number | undefined): void;
  /** Sends of these what it wants and does not have yet. */
  send(batch: LiveBatch): void;
  beat(): void;
  /** Says that events are missing, and goes on behind this one. */
  reset(position: number | undefined): void;
  /** Resolves when it has taken what was sent; one that takes too long is let go. */
  drained(): Promise<void>;
  end(): void;
}

/** What may wait for a client that reads slowly before it is let go; it comes back with the id of its last event. */
const mostWaitingBytes = 1024 * 1024;
const patienceMs = 30_000;
/** Heartbeats in a row at which a client has taken nothing of what waits for it, after which it is let go. */
const maxStalledBeats = 3;

/** Events that came together. */
export function toBatch(frames: readonly LiveFrame[]): LiveBatch {
  return { frames, bytes: Buffer.concat(frames.map((frame) => frame.bytes)) };
}

/** A client that gets the events of some names, or all of them. */
export function createLiveClient(sink: LiveSink, wanted: ReadonlySet<LiveName> | undefined): LiveClient {
  let position = 0;
  let waitingBefore = 0;
  let stalledBeats = 0;

  function write(block: string | Buffer): void {
    if (sink.destroyed) return;
    sink.write(block);
    if (sink.writableLength > mostWaitingBytes) sink.destroy();
  }

  function pick({ frames, bytes }: LiveBatch): Buffer {
    const [first] = frames;
    if (!wanted && first && first.sequence > position) return bytes;
    const own = frames.filter(({ sequence, name }) => sequence > position && (!wanted || wanted.has(name)));
    return toBatch(own).bytes;
  }

  return {
    get position() {
      return position;
    },
    open(behind) {
      position = behind ?? 0;
      write(openingBlock(behind));
    },
    send(batch) {
      const bytes = pick(batch);
      position = Math.max(position, batch.frames.at(-1)?.sequence ?? 0);
      if (bytes.length) write(bytes);
    },
    beat() {
      const waits = sink.writableLength;
      stalledBeats = waits > 0 && waits >= waitingBefore ? stalledBeats + 1 : 0;
      if (stalledBeats >= maxStalledBeats) sink.destroy();
      else write(heartbeatBlock(wanted && position ? position : undefined));
      waitingBefore = sink.writableLength;
    },
    reset(behind) {
      position = behind ?? 0;
      write(resetBlock(behind));
    },
    async drained() {
      if (!sink.writableNeedDrain || sink.destroyed) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => sink.destroy(), patienceMs);
        const settle = () => {
          clearTimeout(timer);
          sink.off('drain', settle).off('close', settle);
          resolve();
        };
        sink.once('drain', settle).once('close', settle);
      });
    },
    end: () => void sink.end(),
  };
}
