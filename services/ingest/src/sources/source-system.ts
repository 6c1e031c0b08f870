import {
  createJobMetrics,
  type Job,
  type Jobs,
  listJobs,
  startJobs,
  type TaskJobKind,
} from '@birdhub/domain/jobs';
import { createNaming, type RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import { type Bus, type DeadLetter, deliveriesWithin, type Subscription } from '@birdhub/shared/bus';
import type { ChangeNotifier, Database } from '@birdhub/shared/db';
import type { ServiceMetrics } from '@birdhub/shared/metrics';
import { recordDeadLetter } from '@birdhub/shared/outbox';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import type { SecretBox } from '@birdhub/shared/secrets';
import { type Clock, dayMs } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { UploadedMediaStore } from '../media-upload/uploaded-media.store.js';
import type { SpaceGuard } from '../space-guard.js';
import { createImportJob } from './import-job.js';
import { SourceEventStore } from './source-events.store.js';
import { SourceIntake } from './source-intake.js';
import type { SourceKind, SourceKindName } from './source-kind.js';
import { SourceMedia, type SourceMediaDeps } from './source-media.js';
import { addSourceMetrics } from './source-metrics.js';
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

const maxListedImports = 100;

/** Sources and their background work. */
export class SourceSystem {
  readonly sources: Sources;
  readonly #deps: SourceSystemDeps;
  readonly #events: SourceEventStore;
  readonly #runner: SourceRunner;
  readonly #importJob: TaskJobKind;
  #jobs: Jobs | undefined;
  #corrections: Subscription | undefined;

  constructor(deps: SourceSystemDeps) {
    const { database, notifier, secrets, writer, clock, log, tools, intervals = {} } = deps;
    const { pool, prisma } = database;
    const { importRetryMs: retryMs } = intervals;
    const store = new SourceStore({ ...database, secrets });
    const events = new SourceEventStore(pool);
    const isKnown = (name: string) => isKnownSpecies(deps, name);
    const opener = new UpstreamOpener({ ...deps, isKnownSpecies: isKnown, ffmpegPath: tools.ffmpegPath });
    const intake = new SourceIntake({ ...deps, events });
    const uploaded = new UploadedMediaStore({ pool, notifier });
    const media = new SourceMedia({ ...deps, pool, events, uploaded });
    const shared = { ...intervals, pool, events, intake, media, clock, log };
    const runner = new SourceRunner({ ...shared, sources: store, opener, writer });
    const importDeps = { sources: store, opener, intake, clock, onStored: () => runner.wake() };
    this.#deps = deps;
    this.#events = events;
    this.#runner = runner;
    this.#importJob = createImportJob({ ...importDeps, ...(retryMs !== undefined && { retryMs }) });
    this.sources = new Sources({
      ...deps,
      store,
      events,
      opener,
      runner,
      jobs: {
        start: (...given) => this.#openJobs().start(...given),
        cancel: (...given) => this.#openJobs().cancel(...given),
      },
      listImports: () => listImports(prisma),
    });
    addSourceMetrics({ ...deps, pool, runner });
  }

  start(): void {
    this.#openJobs();
    this.#runner.start();
    this.#corrections = consumeCorrections(this.#deps, this.#events, () => this.#runner.wake());
  }

  async stop(): Promise<void> {
    await this.#corrections?.close();
    await Promise.all([this.#jobs?.close(), this.#runner.stop()]);
  }

  #openJobs(): Jobs {
    const { database, notifier, clock, log, metrics, intervals = {} } = this.#deps;
    this.#jobs ??= startJobs({
      pool: database.pool,
      prisma: database.prisma,
      notifier,
      clock,
      log,
      metrics: createJobMetrics(metrics.registry, [this.#importJob.name]),
      kinds: [this.#importJob],
      ...(intervals.jobPollMs !== undefined && { pollIntervalMs: intervals.jobPollMs }),
    });
    return this.#jobs;
  }
}

/** Lists the imports that have not ended. */
async function listImports(prisma: Database['prisma']): Promise<Job[]> {
  const imports = await listJobs(prisma, maxListedImports, 'import');
  return imports.filter(({ state }) => state === 'running' || state === 'paused');
}

async function isKnownSpecies(
  { directory, settings }: Pick<SourceSystemDeps, 'directory' | 'settings'>,
  name: string,
): Promise<boolean> {
  const [tree, current] = await Promise.all([directory.tree(), settings.current()]);
  return tree.find(createNaming(current)(name)) !== undefined;
}

const backoffMs = [1_000, 5_000, 15_000];
/** Corrections are retried for a day, even while the database is unavailable. */
const maxDeliver = deliveriesWithin(dayMs, backoffMs);

/** Consumes corrections, and requests that sources with `write_back` get the corrected names. */
function consumeCorrections(
  { bus, directory, database: { pool } }: SourceSystemDeps,
  events: SourceEventStore,
  onRequested: () => void,
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
    // A generic name does not improve the data upstream.
    if (!species || species.generic) return;
    if (await events.requestWrites(payload.detection_ids, species.name)) onRequested();
  });
}
