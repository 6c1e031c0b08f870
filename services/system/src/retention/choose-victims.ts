import type { MeasuredRecording } from '../storage/measure-files.js';

/** Why the file of a recording goes. */
export const clearingReasons = ['age', 'max_gb', 'min_free'] as const;
/** Why the file of a recording stays that would go otherwise. */
export const keepingReasons = ['favorite', 'best_of_species'] as const;

/** One of {@link clearingReasons}. */
export type ClearingReason = (typeof clearingReasons)[number];
/** One of {@link keepingReasons}. */
export type KeepingReason = (typeof keepingReasons)[number];

/** What retention has to reach. */
export interface RetentionGoal {
  /** Files of recordings that began before this instant, in ms, are too old. */
  readonly cutoff: number;
  /** Bytes by which all files together are too many. */
  readonly overBytes: number;
  /** Bytes that the disk is short of. */
  readonly shortBytes: number;
}

/** A recording whose file goes. */
export interface Victim extends MeasuredRecording {
  readonly reason: ClearingReason;
}

/** What is still to be freed while recordings are looked at, oldest first. */
class Need {
  readonly #goal: RetentionGoal;
  #freed = 0;

  constructor(goal: RetentionGoal) {
    this.#goal = goal;
  }

  /** Undefined when this one may stay. */
  reasonFor({ start }: MeasuredRecording): ClearingReason | undefined {
    const { cutoff, overBytes, shortBytes } = this.#goal;
    if (start < cutoff) return 'age';
    if (overBytes > this.#freed) return 'max_gb';
    return shortBytes > this.#freed ? 'min_free' : undefined;
  }

  /** Why space is needed, whatever the age. */
  reasonOfSpace(): ClearingReason | undefined {
    return this.reasonFor({ start: Number.POSITIVE_INFINITY } as MeasuredRecording);
  }

  take({ sizeBytes }: MeasuredRecording): void {
    this.#freed += sizeBytes;
  }
}

/**
 * Chooses what goes, slice by slice, from recordings with files in order of their start. What is too old goes but for
 * favourites and the best of each species; then, while space is lacking, the oldest of the rest; then the oldest of the
 * best, and never a favourite. `keep` is told of each that stays although its time had come.
 */
export async function* chooseVictims(
  slices: AsyncIterable<readonly MeasuredRecording[]>,
  goal: RetentionGoal,
  best: () => Promise<ReadonlySet<number>>,
  keep: (reason: KeepingReason) => void,
): AsyncGenerator<Victim[]> {
  const need = new Need(goal);
  const spared: MeasuredRecording[] = [];
  const take = (recording: MeasuredRecording, reason: ClearingReason): Victim => {
    need.take(recording);
    return { ...recording, reason };
  };

  async function judge(recording: MeasuredRecording): Promise<Victim | undefined> {
    const reason = need.reasonFor(recording);
    if (!reason) return undefined;
    if (recording.favorite) {
      keep('favorite');
      return undefined;
    }
    if ((await best()).has(recording.id)) {
      spared.push(recording);
      return undefined;
    }
    return take(recording, reason);
  }

  for await (const slice of slices) {
    const victims: Victim[] = [];
    for (const recording of slice) {
      const victim = await judge(recording);
      if (victim) victims.push(victim);
    }
    if (victims.length) yield victims;
    const last = slice.at(-1);
    if (last && !need.reasonFor(last)) break;
  }
  yield* giveUpBest();

  function* giveUpBest(): Generator<Victim[]> {
    for (const recording of spared) {
      const reason = need.reasonOfSpace();
      if (reason) yield [take(recording, reason)];
      else keep('best_of_species');
    }
  }
}
