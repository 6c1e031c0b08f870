import type { ImportParameters, Job, Jobs } from '@birdhub/domain/jobs';
import { maxAheadMs, minRecordingStart } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import { behindSeconds, deriveSourceState } from '@birdhub/domain/sources';
import type { Caller } from '@birdhub/shared/app';
import { createLimiter } from '@birdhub/shared/async';
import { HubError, invalidField, refused, shownSentences } from '@birdhub/shared/errors';
import { type Clock, dayWindow, isDay, parseInstant } from '@birdhub/shared/time';
import type { Logger } from 'pino';
import { type Sentence, say, toEnglish } from './sentences.js';
import type { SourceEventStore } from './source-events.store.js';
import { applyChange, type FormChecks, maskUrl, requireValid, toChange } from './source-form.js';
import { type TestStage, type Upstream, UpstreamError, type UpstreamEvent } from './source-kind.js';
import type { SourceRunner } from './source-runner.js';
import { describeFailure } from './source-session.js';
import type {
  ShownSource,
  ShownSourceDetail,
  SourceBody,
  SourceChange,
  SourceImportBody,
  SourceTestBody,
  SourceTestResult,
} from './sources.schema.js';
import type { SourceFields, SourceStore, StoredSource } from './sources.store.js';
import type { UpstreamOpener } from './upstream-opener.js';
import { cameraOf } from './upstream-recording.js';

/** Dependencies of {@link Sources}. */
export interface SourcesDeps {
  readonly store: SourceStore;
  readonly events: SourceEventStore;
  readonly opener: UpstreamOpener;
  readonly runner: Pick<SourceRunner, 'wake'>;
  readonly jobs: Pick<Jobs, 'start' | 'cancel'>;
  /** Lists the running and paused imports. */
  readonly listImports: () => Promise<readonly Job[]>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly ownFolders: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
}

const testTimeoutMs = 60_000;
const maxSample = 5;
const at = (date: Date | null) => date?.toISOString() ?? null;

/** Manages the configured sources. */
export class Sources {
  readonly #deps: SourcesDeps;
  readonly #tests = createLimiter({ max: 2, maxWaiting: 16, waitTimeoutMs: 10_000 });

  constructor(deps: SourcesDeps) {
    this.#deps = deps;
  }

  async list(): Promise<ShownSource[]> {
    const [sources, waiting] = await Promise.all([this.#deps.store.list(), this.#deps.events.countWaiting()]);
    return sources.map((source) => this.#show(source, waiting.get(source.id) ?? 0));
  }

  /** @throws HubError source_not_found */
  async get(id: number): Promise<ShownSourceDetail> {
    const { store, events } = this.#deps;
    const source = await store.get(id);
    const [waiting, recordings, dropped] = await Promise.all([
      events.countWaiting(),
      events.countRecordings(id),
      events.listDropped(id),
    ]);
    return {
      ...this.#show(source, waiting.get(id) ?? 0),
      recordings,
      dropped: dropped.map((one) => ({
        at: at(one.at),
        reason: one.reason,
        sentences: shownSentences(one.sentences),
        upstream_id: one.upstreamId,
      })),
    };
  }

  /** @throws HubError invalid_request, source_name_taken, too_many_sources */
  async create(body: SourceBody, caller: Caller): Promise<number> {
    const { store, runner } = this.#deps;
    const fields = applyChange(toChange(body));
    await requireValid(body.kind, fields, await this.#checks());
    const id = await store.create(body.kind, fields);
    this.#log('source added', id, caller);
    runner.wake();
    return id;
  }

  /** @throws HubError invalid_request, source_not_found, source_name_taken, conflict */
  async update(id: number, change: SourceChange, caller: Caller): Promise<void> {
    const { store, runner } = this.#deps;
    const before = await store.get(id);
    const fields = applyChange(change, before);
    await requireValid(before.kind, fields, await this.#checks(fields.path === before.path));
    await store.update(before, fields);
    this.#log('source changed', id, caller);
    runner.wake();
  }

  /** @throws HubError source_not_found */
  async delete(id: number, removesData: boolean, caller: Caller): Promise<void> {
    const { store, runner, jobs, listImports } = this.#deps;
    const source = await store.get(id);
    await store.delete(source, removesData);
    const own = (await listImports()).filter(({ parameters }) => isOf(parameters, id));
    for (const job of own) await jobs.cancel(job.id);
    this.#log('source deleted', id, caller);
    runner.wake();
  }

  /** Tests a form, by default with the stored password. @throws HubError invalid_request, source_not_found, busy */
  async test({ id, ...body }: SourceTestBody, signal: AbortSignal): Promise<SourceTestResult> {
    const { store, opener } = this.#deps;
    const before = id === undefined ? undefined : await store.get(id);
    if (before && before.kind !== body.kind) throw invalidField('/kind', `must be ${before.kind}`);
    const change = toChange({ ...body, name: body.name ?? before?.name ?? 'test' });
    const fields = applyChange(change, before);
    await requireValid(body.kind, fields, await this.#checks());
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(testTimeoutMs)]);
    return this.#tests.run(
      async () => {
        const upstream = await opener.open(body.kind, { ...fields, id: 0 });
        try {
          return await this.#runTest(upstream, fields, timeout);
        } finally {
          await upstream.close();
        }
      },
      { signal: timeout },
    );
  }

  /** Starts the import of history. @throws HubError invalid_request, source_not_found, source_paused, job_running */
  async startImport(id: number, body: SourceImportBody, caller: Caller): Promise<number> {
    const { store, jobs, settings } = this.#deps;
    const source = await store.get(id);
    if (!source.enabled) throw new HubError('source_paused');
    const { timezone } = (await settings.current()).general;
    const now = this.#deps.clock.now();
    const since = readBound('/since', body.since, timezone, 'start');
    const until = body.until === undefined ? now : readBound('/until', body.until, timezone, 'end');
    if (since >= until) throw refused(body.until === undefined ? '/since' : '/until', 'before_start');
    const parameters: ImportParameters = {
      sourceId: id,
      since: new Date(Math.max(since, minRecordingStart)).toISOString(),
      until: new Date(Math.min(until, now + maxAheadMs)).toISOString(),
      media: body.media ?? 'all',
    };
    const job = await jobs.start('import', parameters);
    this.#log('import of a source started', id, caller);
    return job.id;
  }

  async #runTest(upstream: Upstream, fields: SourceFields, signal: AbortSignal): Promise<SourceTestResult> {
    const stages: TestStage[] = [];
    let sample: readonly UpstreamEvent[] = [];
    try {
      for await (const result of upstream.test(signal)) {
        if ('sample' in result) sample = result.sample;
        else stages.push(result);
      }
    } catch (error) {
      const stage = error instanceof UpstreamError ? error.stage : (stages.at(-1)?.stage ?? 'address');
      const sentences = signal.aborted ? [say('test_too_slow')] : describeFailure(error);
      if (!(error instanceof UpstreamError) && !signal.aborted)
        this.#deps.log.warn({ err: error }, 'test of a source failed');
      stages.push({ stage, ok: false, sentences });
    }
    return {
      ok: stages.length > 0 && stages.every(({ ok }) => ok),
      stages: stages.map(({ stage, ok, sentences }) => {
        const shown = sentences.map((sentence) => hideSecrets(sentence, fields));
        return { stage, ok, detail: toEnglish(shown), sentences: shownSentences(shown) };
      }),
      sample: sample
        .filter(({ start, end }) => isTime(start) && isTime(end))
        .sort((one, other) => other.start - one.start)
        .slice(0, maxSample)
        .map(toSample),
    };
  }

  async #checks(isSamePath = false): Promise<FormChecks> {
    const { opener, ownFolders, settings } = this.#deps;
    return { opener, ownFolders, hubZone: (await settings.current()).general.timezone, isSamePath };
  }

  #show(source: StoredSource, waiting: number): ShownSource {
    const { options, secrets } = source;
    const now = this.#deps.clock.now();
    const lost = source.hasLostSecrets ? [say('key_lost')] : undefined;
    return {
      id: source.id,
      kind: source.kind,
      name: source.name,
      url: source.url,
      username: source.username,
      has_password: secrets.password !== undefined,
      path: source.path,
      options: {
        mqtt_url: secrets.mqttUrl === undefined ? null : maskUrl(secrets.mqttUrl),
        mqtt_topic_prefix: options.mqttTopicPrefix ?? null,
        cameras: { ...options.cameras },
        camera_prefix: options.cameraPrefix ?? null,
        labels: options.labels ? [...options.labels] : null,
        min_confidence: options.minConfidence ?? null,
        timezone: options.timezone ?? null,
        write_back: options.writeBack,
      },
      enabled: source.enabled,
      state: deriveSourceState(source, now),
      message: lost ? toEnglish(lost) : source.message,
      sentences: shownSentences(lost ?? source.messageSentences),
      last_contact_at: at(source.lastContactAt),
      last_event_at: at(source.lastEventAt),
      behind_seconds: behindSeconds(source, now) ?? null,
      media_waiting: waiting,
      cameras: source.cameras.map((upstream) => ({
        upstream,
        camera_id: cameraOf({ camera: upstream }, source),
      })),
      created_at: source.createdAt.toISOString(),
    };
  }

  #log(what: string, id: number, { role, token, requestId }: Caller): void {
    this.#deps.log.info({ source_id: id, by: role, token, request_id: requestId }, what);
  }
}

function isOf(parameters: Job['parameters'], sourceId: number): boolean {
  return 'sourceId' in parameters && parameters.sourceId === sourceId;
}

/** Returns the instant of a bound; days are inclusive. @throws HubError invalid_request */
function readBound(path: string, text: string, zone: string, side: 'start' | 'end'): number {
  if (isDay(text)) return dayWindow(zone, text)[side];
  const instant = parseInstant(text);
  if (instant === undefined || !Number.isFinite(instant))
    throw invalidField(path, 'must be an RFC 3339 date and time, or a day YYYY-MM-DD');
  return instant;
}

/** Removes secrets from a message, as upstream may echo a request. */
function hideSecrets({ code, values }: Sentence, { secrets }: SourceFields): Sentence {
  const hidden = [secrets.password, secrets.mqttUrl].flatMap((secret) =>
    secret !== undefined && secret.length > 3 ? [secret] : [],
  );
  const hide = (value: string | number) =>
    typeof value === 'string'
      ? hidden.reduce((text, secret) => text.replaceAll(secret, '***'), value)
      : value;
  return {
    code,
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, hide(value)])),
  };
}

function toSample({
  upstreamId,
  camera,
  start,
  end,
  detections,
  media,
}: UpstreamEvent): SourceTestResult['sample'][number] {
  return {
    upstream_id: upstreamId.slice(0, 512),
    camera: camera.slice(0, 200),
    start_time: new Date(start).toISOString(),
    end_time: new Date(end).toISOString(),
    species: detections.slice(0, 20).map(({ speciesName, confidence }) => ({
      species_name: speciesName.slice(0, 200),
      confidence: Number.isFinite(confidence) ? confidence : 0,
    })),
    has_media: media !== undefined,
  };
}

const isTime = (instant: number) => Number.isFinite(instant) && Math.abs(instant) < 8.64e15;
