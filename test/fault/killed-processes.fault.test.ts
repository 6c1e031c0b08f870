import type { ProcessIdentity } from '@birdhub/launcher/processes';
import { describe, expect, it, vi } from 'vitest';
import { type ErrorResponse, readJson } from '../e2e/fixtures/hub-responses.js';
import type { SteadyPosting } from '../e2e/fixtures/steady-posting.js';
import { useTrial, waitForResponses, waitForStatus } from './fixtures/trial.js';

const trial = useTrial();
const soon = { interval: 5 };

/** Kills a process during posting, which continues until the effect is seen and the process is back. */
function kill(
  name: string,
  untilSeen: (posting: SteadyPosting) => Promise<unknown>,
  { signal = 'SIGKILL', retries }: { signal?: NodeJS.Signals; retries?: number } = {},
): Promise<SteadyPosting> {
  let killed: ProcessIdentity;
  return trial.during({
    name: `${signal} to ${name}`,
    retries,
    async inject(posting) {
      killed = trial.hub().kill(name, signal);
      await untilSeen(posting);
    },
    restore: () => trial.hub().waitUntilRestarted(name, killed),
  });
}

const statusesOf = ({ statuses }: SteadyPosting) => [...statuses.keys()];

describe('a process that ends while recordings are posted', () => {
  it('kill -9 of the broker, affects no post and delays the events', async () => {
    const posting = await kill('nats', (one) => waitForResponses(one, 20), { retries: 0 });
    expect(statusesOf(posting).filter((status) => status !== 200 && status !== 201)).toEqual([]);
  });

  it('kill -9 of ingest, costs retries and no recording', async () => {
    const posting = await kill('ingest', (one) => waitForStatus(one, 502));
    expect([200, 201, 502]).toEqual(expect.arrayContaining(statusesOf(posting)));
  });

  it('kill -9 of the gateway, costs retries and no recording', async () => {
    await kill('gateway', (one) => waitForStatus(one, 0));
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('%s to PostgreSQL, gives 503 until it is back', async (signal) => {
    const posting = await kill('postgres', (one) => waitForStatus(one, 503), { signal });
    expect([200, 201, 503]).toEqual(expect.arrayContaining(statusesOf(posting)));
  });

  it.each([
    ['query', 'cameras'],
    ['reports', 'timeline/export?date=2025-08-01'],
    ['system', 'status'],
  ])('kill -9 of %s, gives 502 on its routes only, until it is back', async (name, path) => {
    const ask = () => fetch(`${trial.hub().baseUrl}/api/ui/${path}`);
    const untilSeen = async () => {
      const refused = await vi.waitUntil(async () => {
        const response = await ask();
        return response.status === 502 ? response : undefined;
      }, soon);
      expect(((await refused.json()) as ErrorResponse).code).toBe('upstream_unavailable');
      expect(await readJson(`${trial.hub().baseUrl}/api/ui/health`)).toEqual({ status: 'ok' });
    };
    await kill(name, untilSeen, { retries: 0 });
    expect((await ask()).status).toBe(200);
  });
});
