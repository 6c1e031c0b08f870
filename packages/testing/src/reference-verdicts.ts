/** A detection as it is stored. */
export interface StoredVerdict {
  readonly id: number;
  /** The species of the processor. */
  readonly postedSpeciesId: number;
  readonly speciesId: number;
  readonly reviewed: boolean;
  /** Its track; null for a detection without one. */
  readonly track: string | null;
  readonly videoId: number;
  readonly visitId: number;
}

interface Bird {
  posted: number;
  track: string | null;
  videoId: number;
  /** Verdicts on it, each with its number. */
  words: { number: number; speciesId: number }[];
}

/** A simple reference implementation of verdicts, with which the writer is compared. */
export class ReferenceVerdicts {
  readonly #birds = new Map<number, Bird>();
  #sayings = 0;

  #speciesOf(bird: Bird): number {
    return bird.words.at(-1)?.speciesId ?? bird.posted;
  }

  #say(birds: readonly Bird[], speciesId: number): void {
    this.#sayings += 1;
    for (const bird of birds) bird.words.push({ number: this.#sayings, speciesId });
  }

  #birdsOf(rows: readonly StoredVerdict[]): Bird[] {
    return rows.flatMap(({ id }) => this.#birds.get(id) ?? []);
  }

  /** `scope` is what the correction applies to. */
  correct(scope: readonly StoredVerdict[], speciesId: number): void {
    const birds = this.#birdsOf(scope);
    const isOther = (bird: Bird) => this.#speciesOf(bird) !== speciesId;
    if (!birds.some(isOther)) return;
    this.#say(
      birds.filter((bird) => isOther(bird) || !bird.words.length),
      speciesId,
    );
  }

  /** `scope` is the track of the detection. */
  confirm(scope: readonly StoredVerdict[], { speciesId }: StoredVerdict): void {
    const isAlike = (bird: Bird) => this.#speciesOf(bird) === speciesId && !bird.words.length;
    this.#say(this.#birdsOf(scope).filter(isAlike), speciesId);
  }

  /** Returns whether there was a verdict to revert. */
  revert({ id }: StoredVerdict): boolean {
    const last = this.#birds.get(id)?.words.at(-1)?.number;
    if (last === undefined) return false;
    for (const { words } of this.#birds.values()) if (words.at(-1)?.number === last) words.pop();
    return true;
  }

  /** A recording was posted; `rows` is what it holds now. */
  post(videoId: number, rows: readonly StoredVerdict[]): void {
    const before = [...this.#birds].filter(([, bird]) => bird.videoId === videoId).sort(([a], [b]) => a - b);
    for (const [id] of before) this.#birds.delete(id);
    for (const { id, postedSpeciesId: posted, track } of rows) {
      const [, own] = before.find(([known]) => known === id) ?? [];
      const [, sibling] =
        before.find(([, bird]) => track !== null && bird.track === track && bird.words.length) ?? [];
      const words = [...((own?.words.length ? own : sibling)?.words ?? [])];
      this.#birds.set(id, { posted, track, videoId, words });
    }
  }

  remove(videoId: number): void {
    this.post(videoId, []);
  }

  /** The species of each detection, by its id. */
  expected(): { id: number; speciesId: number; reviewed: boolean; original: number | null }[] {
    return [...this.#birds]
      .map(([id, bird]) => {
        const speciesId = this.#speciesOf(bird);
        const original = speciesId === bird.posted ? null : bird.posted;
        return { id, speciesId, reviewed: bird.words.length > 0, original };
      })
      .sort((a, b) => a.id - b.id);
  }
}
