const mostExamples = 5;

const things = [
  'recordings',
  'recordings known',
  'recordings with another id',
  'detections',
  'reviews',
  'species',
  'foods',
  'files taken',
  'files there',
  'files missing',
] as const;

/** What an import counts. */
export type Taken = (typeof things)[number];

/** What an import has taken, and what not and why. */
export class ImportReport {
  readonly #taken = new Map<Taken, number>();
  readonly #skipped = new Map<string, { count: number; readonly examples: string[] }>();

  count(thing: Taken, many = 1): void {
    this.#taken.set(thing, this.taken(thing) + many);
  }

  taken(thing: Taken): number {
    return this.#taken.get(thing) ?? 0;
  }

  /** Something of the old hub that is not taken, named by what it is called there. */
  skip(reason: string, name: string | number | undefined, many = 1): void {
    const skipped = this.#skipped.get(reason) ?? { count: 0, examples: [] };
    skipped.count += many;
    if (name !== undefined && skipped.examples.length < mostExamples) skipped.examples.push(String(name));
    this.#skipped.set(reason, skipped);
  }

  /** The reasons, and how often each was met. */
  skipped(): Record<string, number> {
    return Object.fromEntries([...this.#skipped].map(([reason, { count }]) => [reason, count]));
  }

  /** As it is printed. */
  lines(): string[] {
    const skipped = [...this.#skipped].map(([reason, { count, examples }]) => {
      const more = count > examples.length && examples.length ? ', …' : '';
      return `  ${String(count).padStart(10)}  ${reason}${examples.length ? ` (${examples.join(', ')}${more})` : ''}`;
    });
    return [
      'Taken:',
      ...things.map((thing) => `  ${String(this.taken(thing)).padStart(10)}  ${thing}`),
      ...(skipped.length ? ['Not taken:', ...skipped] : ['Nothing was left out.']),
    ];
  }
}
