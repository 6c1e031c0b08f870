import { createJobMetrics, listJobs, startJobs } from '@birdhub/domain/jobs';
import { createNaming, type RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import { deriveSourceState, listSourceSummaries, type SourceSummary } from '@birdhub/domain/sources';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import { createSingleFlight } from '@birdhub/shared/async';
import type { Bus, DeadLetter, Subscription } from '@birdhub/shared/bus';
import type { ChangeNotifier, Database } from '@birdhub/shared/db';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { SecretBox } from '@birdhub/shared/secrets';
import type { Clock } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { Counter, Gauge } from 'prom-client';
import { UploadedMediaStore } from '../media-upload/uploaded-media.store.js';
import type { SpaceGuard } from '../space-guard.js';
import { createImportJob } from './import-job.js';
import { SourceEventStore } from './source-events.store.js';
import { SourceIntake } from './source-intake.js';
import type { SourceKind, SourceKindName } from './source-kind.js';
import { SourceMedia, type SourceMediaDeps } from './source-media.js';
import { SourceRunner, type SourceRunnerDeps } from './source-runner.js';
import { Sources } from './sources.js';
import { SourceStore } from './sources.store.js';
import { UpstreamOpener } from './upstream-opener.js';

/** Dependencies of the source system. */
export interface SourceSystemDeps
  extends Pick<SourceMediaDeps, 'recordingsDir' | 'readFreeBytes' | 'maxFileBytes' | 'tools'> {
  readonly database: Pick<Database, 'pool' | 'prisma' | 'transaction'>;
  readonly bus: Pick<Bus, 'consume'>;
  readonly notifier: ChangeNotifier;
  readonly settings: SettingsReader;
  readonly directory: SpeciesDirectory;
  readonly secrets: SecretBox;
  readonly writer: RecordingWriter;
  readonly space: SpaceGuard;
  readonly kinds: Readonly<Partial<Record<SourceKindName, SourceKind>>>;
  readonly guard: ServiceGuard;
  /** Folders of the hub that paths of sources must not refer to. */
  readonly ownFolders: readonly string[];
  readonly metrics: ServiceMetrics;
  readonly clock: Clock;
  readonly log: Logger;
  /** Shorter intervals, for tests. */
  readonly intervals?: Pick<SourceRunnerDeps, 'pollIntervalMs' | 'checkIntervalMs' | 'removalDelayMs'> & {
    readonly jobPollMs?: number;
    readonly importRetryMs?: number;
  };
}

/** Sources and their background work. */
export interface SourceSystem {
  readonly sources: Sources;
  start(): void;
  stop(): Promise<void>;
}

const maxListedImports = 100;

/** Composes the sources and their background work. */
export function openSources(deps: SourceSystemDeps): SourceSystem {
  const { database, notifier, clock, log, metrics, intervals = {} } = deps;
  const { pool, prisma } = database;
  const store = new SourceStore({ ...database, secrets: deps.secrets });
  const events = new SourceEventStore(pool);
  const opener = new UpstreamOpener({
    ...deps,
    isKnownSpecies: (name) => isKnownSpecies(deps, name),
    ffmpegPath: deps.tools.ffmpegPath,
  });
  const intake = new SourceIntake({ ...deps, events });
  const uploaded = new UploadedMediaStore({ pool, notifier });
  const media = new SourceMedia({ ...deps, pool, events, uploaded });
  const shared = { ...intervals, pool, events, intake, media, clock, log };
  const runner = new SourceRunner({ ...shared, sources: store, opener, writer: deps.writer });
  const importDeps = { sources: store, opener, intake, onTaken: () => runner.wake() };
  let jobs: ReturnType<typeof startJobs> | undefined;
  const openJobs = () => {
    jobs ??= startJobs({
      pool,
      prisma,
      notifier,
      clock,
      log,
      metrics: createJobMetrics(metrics.registry, ['import']),
      kinds: [
        createImportJob({
          ...importDeps,
          ...(intervals.importRetryMs !== undefined && { retryMs: intervals.importRetryMs }),
        }),
      ],
      ...(intervals.jobPollMs !== undefined && { pollIntervalMs: intervals.jobPollMs }),
    });
    return jobs;
  };
  const sources = new Sources({
    ...deps,
    store,
    events,
    opener,
    runner,
    jobs: {
      start: (...given) => openJobs().start(...given),
      cancel: (...given) => openJobs().cancel(...given),
    },
    listImports: async () =>
      (await listJobs(prisma, maxListedImports, 'import')).filter(
        ({ state }) => state === 'running' || state === 'paused',
      ),
  });
  addSourceMetrics(deps, runner);
  let corrections: Subscription | undefined;
  return {
    sources,
    start() {
      openJobs();
      runner.start();
      corrections = consumeCorrections(deps, events, () => runner.wake());
    },
    async stop() {
      await corrections?.close();
      await Promise.all([jobs?.close(), runner.stop()]);
    },
  };
}

async function isKnownSpecies(
  { directory, settings }: Pick<SourceSystemDeps, 'directory' | 'settings'>,
  name: string,
): Promise<boolean> {
  const [tree, current] = await Promise.all([directory.tree(), settings.current()]);
  return tree.find(createNaming(current)(name)) !== undefined;
}

const backoffMs = [1_000, 5_000, 15_000];
/** Enough for an event to expire, after a day at most, while the database is unreachable. */
const maxDeliver = 24 * 60 * 4 + backoffMs.length;

/** Consumes corrections, and requests that sources with `write_back` get the corrected names. */
function consumeCorrections(
  { bus, directory, database: { pool } }: SourceSystemDeps,
  events: SourceEventStore,
  onNoted: () => void,
): Subscription {
  const options = {
    durable: 'ingest-source-names',
    subject: 'hub.v1.detection.corrected',
    deliver: 'new',
    maxDeliver,
    backoffMs,
    concurrency: 8,
    onDeadLetter: (letter: DeadLetter) => recordDeadLetter(pool, letter),
  } as const;
  return bus.consume(options, async ({ payload }) => {
    const species = (await directory.tree()).nodes.get(payload.to_species_id);
    // A generic name is no improvement for upstream.
    if (!species || species.generic) return;
    if (await events.requestWrites(payload.detection_ids, species.name)) onNoted();
  });
}

/** Adds metrics of sources to the process that reads them. */
function addSourceMetrics(
  { database: { pool }, metrics, clock, log }: SourceSystemDeps,
  runner: Pick<SourceRunner, 'isHolder'>,
): void {
  // All metrics of one scrape share one query.
  const flights = createSingleFlight<SourceSummary[], string>();
  async function list(): Promise<SourceSummary[]> {
    if (!runner.isHolder) return [];
    try {
      return (await listSourceSummaries(pool)).filter(({ enabled }) => enabled);
    } catch (error) {
      log.warn({ err: error }, 'sources not measured');
      return [];
    }
  }
  const look = () => flights.run('look', list);
  function show(
    metric: 'gauge' | 'counter',
    name: string,
    help: string,
    measure: (source: SourceSummary, now: number) => number | null,
  ): void {
    const options = { name, help, labelNames: ['source', 'kind'] as const, registers: [metrics.registry] };
    const collect = async (found: Gauge<'source' | 'kind'> | Counter<'source' | 'kind'>) => {
      const sources = await look();
      found.reset();
      const now = clock.now();
      for (const source of sources) {
        const value = measure(source, now);
        if (value !== null) found.inc({ source: source.name, kind: source.kind }, value);
      }
    };
    if (metric === 'gauge') new Gauge({ ...options, collect: (): Promise<void> => collect(made) });
    else new Counter({ ...options, collect: (): Promise<void> => collect(made) });
    const made = metrics.registry.getSingleMetric(name) as Gauge<'source' | 'kind'>;
  }
  show('gauge', 'hub_source_up', 'Whether a source is read without an error', (source, now) =>
    Number(!['error', 'connecting'].includes(deriveSourceState(source, now))),
  );
  show(
    'gauge',
    'hub_source_behind_seconds',
    'How far reading is behind the source',
    ({ readUntil }, now) => readUntil && Math.max(0, now - readUntil.getTime()) / 1000,
  );
  show(
    'gauge',
    'hub_source_last_event_timestamp_seconds',
    'When the last bird of the source was there',
    ({ lastEventAt }) => lastEventAt && lastEventAt.getTime() / 1000,
  );
  show('counter', 'hub_source_events_total', 'Recordings that a source brought', ({ events }) => events);
  show(
    'counter',
    'hub_source_dropped_total',
    'What a source had that was not taken',
    ({ dropped }) => dropped,
  );
}
