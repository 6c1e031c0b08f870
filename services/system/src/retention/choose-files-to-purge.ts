import type { MeasuredRecording } from '../storage/stored-recordings.store.js';

/** Why the file of a recording is purged. */
export type PurgeReason = 'age' | 'max_gb' | 'min_free';

/** Why the file of a recording is kept although a rule would purge it. */
export type KeepReason = 'favorite' | 'best_of_species';

/** The goal of a run. */
export interface RetentionGoal {
  /** Files of recordings that started before this instant, in ms, have expired. */
  readonly cutoff: number;
  /** Bytes by which all files exceed the limit. */
  readonly overBytes: number;
  /** Bytes missing for the minimum of free space. */
  readonly shortBytes: number;
}

/** A recording whose file is to be purged. */
export interface Victim extends MeasuredRecording {
  readonly reason: PurgeReason;
}

/** The space that remains to be freed. */
class RemainingSpace {
  readonly #goal: RetentionGoal;
  #freed = 0;

  constructor(goal: RetentionGoal) {
    this.#goal = goal;
  }

  /** Returns undefined when the recording may stay. */
  reasonFor(start: number): PurgeReason | undefined {
    const { cutoff, overBytes, shortBytes } = this.#goal;
    if (start < cutoff) return 'age';
    if (overBytes > this.#freed) return 'max_gb';
    return shortBytes > this.#freed ? 'min_free' : undefined;
  }

  /** Returns why space is needed, regardless of age. */
  spaceReason(): PurgeReason | undefined {
    return this.reasonFor(Number.POSITIVE_INFINITY);
  }

  take({ sizeBytes }: MeasuredRecording): void {
    this.#freed += sizeBytes;
  }
}

/**
 * Chooses the files to purge, page by page, by the start of recordings: expired ones, except favourites and the best of
 * each species; then, while space is short, the oldest of the others; then the oldest of the best; never favourites.
 * `onKept` is called for each file that is kept although a rule would purge it.
 */
export async function* chooseVictims(
  pages: AsyncIterable<readonly MeasuredRecording[]>,
  goal: RetentionGoal,
  best: () => Promise<ReadonlySet<number>>,
  onKept: (reason: KeepReason) => void,
): AsyncGenerator<Victim[]> {
  const remaining = new RemainingSpace(goal);
  const keptBest: MeasuredRecording[] = [];
  const take = (recording: MeasuredRecording, reason: PurgeReason): Victim => {
    remaining.take(recording);
    return { ...recording, reason };
  };

  async function selectIfRequired(recording: MeasuredRecording): Promise<Victim | undefined> {
    const reason = remaining.reasonFor(recording.start);
    if (!reason) return undefined;
    if (recording.favorite) {
      onKept('favorite');
      return undefined;
    }
    if ((await best()).has(recording.id)) {
      keptBest.push(recording);
      return undefined;
    }
    return take(recording, reason);
  }

  for await (const page of pages) {
    const victims: Victim[] = [];
    for (const recording of page) {
      const victim = await selectIfRequired(recording);
      if (victim) victims.push(victim);
    }
    if (victims.length) yield victims;
    const last = page.at(-1);
    if (last && !remaining.reasonFor(last.start)) break;
  }
  for (const recording of keptBest) {
    const reason = remaining.spaceReason();
    if (reason) yield [take(recording, reason)];
    else onKept('best_of_species');
  }
}
