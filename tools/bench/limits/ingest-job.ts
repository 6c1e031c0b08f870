/** A job of the bare ingest. */
export interface IngestJob {
  readonly databaseUrl: string;
  /** Number of recordings in flight. */
  readonly connections: number;
  /** Number of database sessions that they share; with fewer, locks are contended less. */
  readonly sessions: number;
  readonly seconds: number;
  /** Number of the first recording; the job uses this one and the ones after it. */
  readonly first: number;
  /** Whether visits are found or created under a lock for each species; otherwise one statement stores the rows. */
  readonly withVisits: boolean;
}
