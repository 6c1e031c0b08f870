import { type StubServer, startStubServer } from '@birdhub/testing/stub-server';

/** A stub of an external service. */
export interface StubService extends StubServer {
  /** Responds with this JSON from now on. */
  respondJson(body: unknown, status?: number): void;
}

/** Starts a stub on a free port that responds with 500 by default. */
export async function startStubService(): Promise<StubService> {
  const server = await startStubServer(() => ({ status: 500, body: {} }));
  const headers = { 'content-type': 'application/json' };
  return {
    ...server,
    respondJson(body, status = 200) {
      server.respond(() => ({ status, headers, body: JSON.stringify(body) }));
    },
  };
}
