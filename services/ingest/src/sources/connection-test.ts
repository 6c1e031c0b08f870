import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type TestStage,
  type TestStageName,
  type Upstream,
  UpstreamError,
  type UpstreamEvent,
} from './source-kind.js';
import type { Mapped } from './upstream-values.js';

/** A stage of a test; `run` returns what is said when it succeeds. */
interface StageStep {
  readonly stage: TestStageName;
  readonly run: () => Promise<string>;
}

/** How the connection of one kind is tested: a function for each stage, which returns what is said when it succeeds. */
export interface ConnectionTest<Item> {
  readonly address: () => Promise<string>;
  readonly login: () => Promise<string>;
  readonly version: () => Promise<string>;
  /** Lists the newest birds as upstream has them, the newest first: the stage `permission`. */
  readonly list: () => Promise<readonly Item[]>;
  readonly map: (items: readonly Item[]) => Promise<readonly Mapped[]> | readonly Mapped[];
  readonly said: {
    /** Said when the birds can be listed. */
    readonly listed: string;
    /** Said when there are no birds. */
    readonly noBirds: string;
  };
  /** When the bird of an event was there; its start when left out. */
  readonly instantOf?: (event: UpstreamEvent) => number;
  /** Undefined when there is nothing to fetch clips from. */
  readonly clip: ClipTest | undefined;
}

/** What is said of the clip of a test. */
export interface ClipTest {
  readonly fetched: string;
  /** What follows the reason when no clip could be fetched. */
  readonly hint: string;
}

const sampleSize = 5;

/** Tests a connection stage by stage, and ends with the first that fails. */
export async function* testConnection<Item>(
  upstream: Pick<Upstream, 'fetch'>,
  test: ConnectionTest<Item>,
  signal: AbortSignal,
): ReturnType<Upstream['test']> {
  let items: readonly Item[] = [];
  let events: readonly UpstreamEvent[] = [];
  const { address, login, version, list, map, said, clip, instantOf = ({ start }) => start } = test;
  yield* runStages([
    { stage: 'address', run: address },
    { stage: 'login', run: login },
    { stage: 'version', run: version },
    {
      stage: 'permission',
      run: async () => {
        items = await list();
        return said.listed;
      },
    },
    {
      stage: 'birds',
      run: async () => {
        const mapped = await map(items);
        events = mapped.flatMap((one) => ('event' in one ? [one.event] : [])).slice(0, sampleSize);
        const [newest] = events;
        if (newest) return describeNewest(newest, instantOf(newest));
        if (items.length === 0) return said.noBirds;
        const reason = mapped.flatMap((one) => ('dropped' in one ? [one.dropped.reason] : []))[0] ?? '';
        throw new UpstreamError(
          'birds',
          `None of its last ${items.length} birds can be taken. ${reason}`.trim(),
        );
      },
    },
  ]);
  if (events.length === 0) return;
  yield { sample: events };
  if (clip) yield* runStages([{ stage: 'clip', run: () => testClip(upstream, events, clip, signal) }]);
}

async function* runStages(steps: readonly StageStep[]): AsyncGenerator<TestStage> {
  for (const { stage, run } of steps) {
    const outcome = await run().then(
      (detail) => ({ stage, ok: true, detail }),
      (error: unknown) => {
        if (!(error instanceof UpstreamError)) throw error;
        return { stage: error.stage, ok: false, detail: error.message };
      },
    );
    yield outcome;
    if (!outcome.ok) return;
  }
}

function describeNewest({ detections }: UpstreamEvent, instant: number): string {
  const name = detections[0]?.speciesName.split('_').at(-1) ?? '';
  return `The newest bird: ${name}, ${new Date(instant).toISOString()}.`;
}

/** Fetches the clip of one of the events. @throws UpstreamError when none can ever be fetched */
async function testClip(
  upstream: Pick<Upstream, 'fetch'>,
  events: readonly UpstreamEvent[],
  { fetched, hint }: ClipTest,
  signal: AbortSignal,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-test-'));
  let reason = '';
  let later: string | undefined;
  try {
    for (const [index, { upstreamId, start, end, media }] of events.entries()) {
      const known = { upstreamId, start, end, reference: media?.reference ?? null };
      const outcome = await upstream.fetch(known, join(folder, String(index)), signal);
      if (outcome.outcome === 'ready') return fetched;
      if (outcome.outcome === 'later') later ??= outcome.reason;
      reason = outcome.reason;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (later !== undefined) return `${later} It is fetched later.`;
  throw new UpstreamError('clip', `${reason} ${hint}`);
}
