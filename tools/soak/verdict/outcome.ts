/** The events that one listener received. */
export interface ListenerOutcome {
  readonly position: number | undefined;
  readonly count: number;
  readonly breaks: readonly string[];
  /** Number of stored visits without an event. */
  readonly missedVisits: number;
}

/** The state of the hub after all posts have been processed. */
export interface Outcome {
  readonly failures: readonly string[];
  /** Log lines of level error or fatal. */
  readonly logged: readonly string[];
  readonly listeners: readonly ListenerOutcome[];
  readonly lastSequence: number;
  readonly visits: number;
  /** Acknowledged recordings without deleted ones, and stored recordings. */
  readonly recordings: { readonly expected: number; readonly stored: number };
  /** Recordings with a film, and recordings in state `ready`. */
  readonly films: { readonly expected: number; readonly ready: number };
  readonly waiting: Readonly<Record<string, number>>;
  /** Comparison of the stored visits, rollups, counters and files with the rule. */
  readonly states: readonly { readonly what: string; readonly isAsExpected: boolean }[];
}
