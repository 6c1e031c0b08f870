/** A stored detection with its verdict. */
export interface StoredVerdict {
  readonly id: number;
  /** The species posted by the processor. */
  readonly postedSpeciesId: number;
  /** Whether the processor posted it as reviewed. */
  readonly postedReviewed: boolean;
  readonly speciesId: number;
  readonly reviewed: boolean;
  /** Its track; null for a detection without one. */
  readonly track: string | null;
  readonly videoId: number;
  readonly visitId: number;
}

interface Bird {
  posted: number;
  postedReviewed: boolean;
  track: string | null;
  videoId: number;
  /** Its verdicts, each with its number. */
  verdicts: { number: number; speciesId: number }[];
}

/** A simple reference implementation of verdicts, with which the writer is compared. */
export class ReferenceVerdicts {
  readonly #birds = new Map<number, Bird>();
  #verdictCount = 0;

  #speciesOf(bird: Bird): number {
    return bird.verdicts.at(-1)?.speciesId ?? bird.posted;
  }

  #add(birds: readonly Bird[], speciesId: number): void {
    this.#verdictCount += 1;
    for (const bird of birds) bird.verdicts.push({ number: this.#verdictCount, speciesId });
  }

  #birdsOf(rows: readonly StoredVerdict[]): Bird[] {
    return rows.flatMap(({ id }) => this.#birds.get(id) ?? []);
  }

  /** `scope` contains the detections that the correction applies to. */
  correct(scope: readonly StoredVerdict[], speciesId: number): void {
    const birds = this.#birdsOf(scope);
    const isOther = (bird: Bird) => this.#speciesOf(bird) !== speciesId;
    if (!birds.some(isOther)) return;
    this.#add(
      birds.filter((bird) => isOther(bird) || !bird.verdicts.length),
      speciesId,
    );
  }

  /** `scope` contains the detections of the same track. */
  confirm(scope: readonly StoredVerdict[], { speciesId }: StoredVerdict): void {
    const isAlike = (bird: Bird) => this.#speciesOf(bird) === speciesId && !bird.verdicts.length;
    this.#add(this.#birdsOf(scope).filter(isAlike), speciesId);
  }

  /** Returns whether there was a verdict to revert. */
  revert({ id }: StoredVerdict): boolean {
    const last = this.#birds.get(id)?.verdicts.at(-1)?.number;
    if (last === undefined) return false;
    for (const { verdicts } of this.#birds.values()) if (verdicts.at(-1)?.number === last) verdicts.pop();
    return true;
  }

  /** A recording was posted; `rows` are its detections now. */
  post(videoId: number, rows: readonly StoredVerdict[]): void {
    const before = [...this.#birds].filter(([, bird]) => bird.videoId === videoId).sort(([a], [b]) => a - b);
    for (const [id] of before) this.#birds.delete(id);
    for (const { id, postedSpeciesId: posted, postedReviewed, track } of rows) {
      const [, own] = before.find(([known]) => known === id) ?? [];
      const [, sibling] =
        before.find(([, bird]) => track !== null && bird.track === track && bird.verdicts.length) ?? [];
      const verdicts = [...((own?.verdicts.length ? own : sibling)?.verdicts ?? [])];
      this.#birds.set(id, { posted, postedReviewed, track, videoId, verdicts });
    }
  }

  remove(videoId: number): void {
    this.post(videoId, []);
  }

  /** Returns the expected state of each detection, ordered by id. */
  expected(): { id: number; speciesId: number; reviewed: boolean; original: number | null }[] {
    return [...this.#birds]
      .map(([id, bird]) => {
        const speciesId = this.#speciesOf(bird);
        const original = speciesId === bird.posted ? null : bird.posted;
        const reviewed = bird.verdicts.length > 0 || bird.postedReviewed;
        return { id, speciesId, reviewed, original };
      })
      .sort((a, b) => a.id - b.id);
  }
}
