/** What `test/support/global-setup.ts` provides to every test of a run. */
declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL of this run, as its superuser. */
    databaseUrl: string;
    /** A migrated database there, to be cloned and left alone. */
    templateDatabase: string;
    /** A nats-server of this run, with JetStream. */
    natsUrl: string;
  }
}

export type {};
