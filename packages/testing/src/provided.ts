/** What `test/support/global-setup.ts` provides to every test of a run. */
declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL of this run, with its superuser. */
    databaseUrl: string;
    /** Name of a migrated database, which is cloned and never changed. */
    templateDatabase: string;
    /** URL of the nats-server of this run, with JetStream. */
    natsUrl: string;
  }
}

export type {};
