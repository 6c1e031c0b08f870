/** The request id of events and log lines of an import. */
export const requestId = 'import-birdlense';

const maxExamples = 5;

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
export type Counted = (typeof things)[number];

/** What an import has imported, and what it left out and why. */
export class ImportReport {
  readonly #counts = new Map<Counted, number>();
  readonly #skipped = new Map<string, { count: number; readonly examples: string[] }>();

  count(thing: Counted, amount = 1): void {
    this.#counts.set(thing, this.counted(thing) + amount);
  }

  counted(thing: Counted): number {
    return this.#counts.get(thing) ?? 0;
  }

  /** Counts something of the old hub that is left out, under its name there. */
  skip(reason: string, name: string | number | undefined, amount = 1): void {
    const skipped = this.#skipped.get(reason) ?? { count: 0, examples: [] };
    skipped.count += amount;
    if (name !== undefined && skipped.examples.length < maxExamples) skipped.examples.push(String(name));
    this.#skipped.set(reason, skipped);
  }

  /** The reasons and their counts. */
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
      ...things.map((thing) => `  ${String(this.counted(thing)).padStart(10)}  ${thing}`),
      ...(skipped.length ? ['Not taken:', ...skipped] : ['Nothing was left out.']),
    ];
  }
}
