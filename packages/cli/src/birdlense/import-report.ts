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
  'files imported',
  'files already present',
  'files missing',
] as const;

/** What an import counts. */
export type Counted = (typeof things)[number];

/** Counts what was imported, and what was skipped and why. */
export class ImportReport {
  readonly #counts = new Map<Counted, number>();
  readonly #skipped = new Map<string, { count: number; readonly examples: string[] }>();

  count(thing: Counted, amount = 1): void {
    this.#counts.set(thing, this.counted(thing) + amount);
  }

  counted(thing: Counted): number {
    return this.#counts.get(thing) ?? 0;
  }

  /** Counts a skipped row and remembers its name in the old hub as an example. */
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

  /** The report as printed lines. */
  lines(): string[] {
    const skipped = [...this.#skipped].map(([reason, { count, examples }]) => {
      const more = count > examples.length && examples.length ? ', …' : '';
      return `  ${String(count).padStart(10)}  ${reason}${examples.length ? ` (${examples.join(', ')}${more})` : ''}`;
    });
    return [
      'Imported:',
      ...things.map((thing) => `  ${String(this.counted(thing)).padStart(10)}  ${thing}`),
      ...(skipped.length ? ['Skipped:', ...skipped] : ['Nothing was skipped.']),
    ];
  }
}
