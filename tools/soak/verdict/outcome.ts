/** What one listener was sent. */
export interface ListenerOutcome {
  readonly position: number | undefined;
  readonly count: number;
  readonly breaks: readonly string[];
  /** Visits in store that it was not told of. */
  readonly missedVisits: number;
}

/** What there is when everything that was posted has been worked off. */
export interface Outcome {
  readonly failures: readonly string[];
  /** Lines of the log that somebody must look at. */
  readonly logged: readonly string[];
  readonly listeners: readonly ListenerOutcome[];
  readonly lastSequence: number;
  readonly visits: number;
  /** Recordings that were acknowledged, without those that people deleted; and those in store. */
  readonly recordings: { readonly expected: number; readonly stored: number };
  /** Recordings that have a film, and those that the hub found ready. */
  readonly films: { readonly expected: number; readonly ready: number };
  readonly waiting: Readonly<Record<string, number>>;
  /** What is stored of visits, rollups, counters and files against the rule. */
  readonly states: readonly { readonly what: string; readonly isAsExpected: boolean }[];
}
