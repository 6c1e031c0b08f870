import { describe, expect, it, vi } from 'vitest';
import type { ProcessIdentity } from '../../deploy/local/src/process-identity.js';
import { type ErrorAnswer, readJson } from '../e2e/fixtures/hub-answers.js';
import type { SteadyPosting } from '../e2e/fixtures/steady-posting.js';
import { untilAnswered, untilMore, useTrial } from './fixtures/trial.js';

const trial = useTrial();
const soon = { timeout: 30_000, interval: 5 };

/** Kills a process under posting; it is felt when the next answer to `isFelt` is over. */
function kill(
  name: string,
  isFelt: (posting: SteadyPosting) => Promise<unknown>,
  retries?: number,
): Promise<SteadyPosting> {
  let killed: ProcessIdentity;
  return trial.during({
    name: `\`kill -9\` of ${name}`,
    retries,
    async strike(posting) {
      killed = trial.hub().kill(name);
      await isFelt(posting);
    },
    mend: () => trial.hub().whenBack(name, killed),
  });
}

const statusesOf = ({ statuses }: SteadyPosting) => [...statuses.keys()];

describe('kill -9 while recordings are posted', () => {
  it('of the broker, leaves every post answered without an error and the news come later', async () => {
    const posting = await kill('nats', (one) => untilMore(one, 20), 0);
    expect(statusesOf(posting).filter((status) => status !== 200 && status !== 201)).toEqual([]);
  });

  it('of ingest, costs retries and no recording', async () => {
    const posting = await kill('ingest', (one) => untilAnswered(one, 502));
    expect([200, 201, 502]).toEqual(expect.arrayContaining(statusesOf(posting)));
  });

  it('of the gateway, costs retries and no recording', async () => {
    await kill('gateway', (one) => untilAnswered(one, 0));
  });

  it('of PostgreSQL, is told as 503 and posting goes on when it is back', async () => {
    const posting = await kill('postgres', (one) => untilAnswered(one, 503));
    expect([200, 201, 503]).toEqual(expect.arrayContaining(statusesOf(posting)));
  });

  it.each([
    ['query', 'cameras'],
    ['reports', 'timeline/export?date=2025-08-01'],
    ['system', 'status'],
  ])('of %s, makes only its routes answer 502 until it is back', async (name, path) => {
    const ask = () => fetch(`${trial.hub().baseUrl}/api/ui/${path}`);
    const isFelt = async () => {
      const refused = await vi.waitUntil(async () => {
        const answer = await ask();
        return answer.status === 502 ? answer : undefined;
      }, soon);
      expect(((await refused.json()) as ErrorAnswer).code).toBe('upstream_unavailable');
      expect(await readJson(`${trial.hub().baseUrl}/api/ui/health`)).toEqual({ status: 'ok' });
    };
    await kill(name, isFelt, 0);
    expect((await ask()).status).toBe(200);
  });
});
