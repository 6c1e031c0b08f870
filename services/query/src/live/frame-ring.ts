import type { LiveFrame } from './live-frame.js';

/** The latest events, the oldest of which go first. */
export interface FrameRing {
  /** The last event that it has or had; undefined while it is not known where it begins. */
  position(): number | undefined;
  /** Empties it; what comes next follows that event. */
  startBehind(position: number | undefined): void;
  push(frame: LiveFrame): void;
  /** Whether everything behind that event, which is no later than its own last, is here. */
  covers(sequence: number): boolean;
  /** What is here behind that event, in order. */
  after(sequence: number): readonly LiveFrame[];
}

/** An empty ring that holds at most so many bytes of events. */
export function createFrameRing(mostBytes: number): FrameRing {
  const frames: LiveFrame[] = [];
  let bytes = 0;
  let first: number | undefined;
  let last: number | undefined;

  return {
    position: () => last,
    startBehind(position) {
      frames.length = 0;
      bytes = 0;
      first = position;
      last = position;
    },
    push(frame) {
      first ??= frame.sequence - 1;
      last = frame.sequence;
      frames.push(frame);
      bytes += frame.bytes.length;
      while (bytes > mostBytes) {
        const oldest = frames.shift();
        if (!oldest) break;
        bytes -= oldest.bytes.length;
        first = oldest.sequence;
      }
    },
    covers: (sequence) => first !== undefined && last !== undefined && sequence >= first && sequence <= last,
    after: (sequence) => frames.filter((frame) => frame.sequence > sequence),
  };
}
