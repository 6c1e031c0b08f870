import type { MeasuredRecording } from '../storage/stored-recordings.store.js';

/** Why the file of a recording is purged. */
export type PurgeReason = 'age' | 'max_gb' | 'min_free';

/** Why the file of a recording is kept although a rule would purge it. */
export type KeepReason = 'favorite' | 'best_of_species';

/** The goal of a run. */
export interface RetentionGoal {
  /** Files of recordings that began before this instant, in ms, are too old. */
  readonly cutoff: number;
  /** Bytes above the limit of all files. */
  readonly overBytes: number;
  /** Bytes that the disk is short of. */
  readonly shortBytes: number;
}

/** A recording whose file is to be purged. */
export interface Victim extends MeasuredRecording {
  readonly reason: PurgeReason;
}

/** The space still to be freed while recordings are chosen. */
class Need {
  readonly #goal: RetentionGoal;
  #freed = 0;

  constructor(goal: RetentionGoal) {
    this.#goal = goal;
  }

  /** Returns undefined when the recording may stay. */
  reasonFor({ start }: MeasuredRecording): PurgeReason | undefined {
    const { cutoff, overBytes, shortBytes } = this.#goal;
    if (start < cutoff) return 'age';
    if (overBytes > this.#freed) return 'max_gb';
    return shortBytes > this.#freed ? 'min_free' : undefined;
  }

  /** Returns why space is needed, whatever the age. */
  spaceReason(): PurgeReason | undefined {
    return this.reasonFor({ start: Number.POSITIVE_INFINITY } as MeasuredRecording);
  }

  take({ sizeBytes }: MeasuredRecording): void {
    this.#freed += sizeBytes;
  }
}

/**
 * Chooses the files to purge, page by page, from recordings by their start. Expired ones are chosen, except favourites
 * and the best of each species; then, while space is lacking, the oldest of the rest; then the oldest of the best, and
 * never a favourite. `onKept` is called for each that is kept although a rule would purge it.
 */
export async function* chooseVictims(
  pages: AsyncIterable<readonly MeasuredRecording[]>,
  goal: RetentionGoal,
  best: () => Promise<ReadonlySet<number>>,
  onKept: (reason: KeepReason) => void,
): AsyncGenerator<Victim[]> {
  const need = new Need(goal);
  const spared: MeasuredRecording[] = [];
  const take = (recording: MeasuredRecording, reason: PurgeReason): Victim => {
    need.take(recording);
    return { ...recording, reason };
  };

  async function judge(recording: MeasuredRecording): Promise<Victim | undefined> {
    const reason = need.reasonFor(recording);
    if (!reason) return undefined;
    if (recording.favorite) {
      onKept('favorite');
      return undefined;
    }
    if ((await best()).has(recording.id)) {
      spared.push(recording);
      return undefined;
    }
    return take(recording, reason);
  }

  for await (const page of pages) {
    const victims: Victim[] = [];
    for (const recording of page) {
      const victim = await judge(recording);
      if (victim) victims.push(victim);
    }
    if (victims.length) yield victims;
    const last = page.at(-1);
    if (last && !need.reasonFor(last)) break;
  }
  yield* giveUpBest();

  function* giveUpBest(): Generator<Victim[]> {
    for (const recording of spared) {
      const reason = need.spaceReason();
      if (reason) yield [take(recording, reason)];
      else onKept('best_of_species');
    }
  }
}
