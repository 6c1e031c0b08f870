/** What the bare ingest shall do. */
export interface IngestJob {
  readonly databaseUrl: string;
  /** How many recordings are under way at once. */
  readonly connections: number;
  /** Sessions with the database that they share: with fewer, the queue for locks is shorter. */
  readonly sessions: number;
  readonly seconds: number;
  /** Number of the first recording; the job uses this one and the ones after it. */
  readonly first: number;
  /** Whether visits are found or made, under a lock for each species; otherwise one statement stores the rows. */
  readonly withVisits: boolean;
}
