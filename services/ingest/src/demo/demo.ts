import { rm } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { placeFittingZone, type Region, regionPlaces } from '@birdhub/demo/plan';
import { removeRecordingFile } from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import { createLoop, type Loop, withAnySignal } from '@birdhub/shared/async';
import { type ChangeNotifier, lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { type Clock, hourMs, isTimeZone, offsetMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { SpaceGuard } from '../space-guard.js';
import type { DemoStart, ShownDemo } from './demo.schema.js';
import { type DemoOptions, type DemoStore, demoFolder, demoName, type StoredDemo } from './demo.store.js';
import { listClipsIn, removeEmptyFolders } from './demo-files.js';
import { DemoFiller } from './demo-filler.js';
import { hasOwnPlace, unsetDemoSettings } from './demo-settings.js';

/** Dependencies of the demo. */
export interface DemoDeps {
  readonly pool: pg.Pool;
  readonly store: DemoStore;
  readonly writer: Pick<RecordingWriter, 'post' | 'removeAll' | 'confirm' | 'markFavorite'>;
  readonly settings: Pick<SettingsReader, 'current' | 'forget'>;
  readonly settingsWriter: SettingsWriter;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
  readonly space: Pick<SpaceGuard, 'requireSpace' | 'isFull'>;
  readonly recordingsDir: string;
  /** Folder of drawn clips, which exists while the demo does. */
  readonly clipsDir: string;
  readonly ffmpegPath: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Smaller sizes, for tests. */
  readonly sizes?: Partial<DemoSizes>;
}

/** The length of a demo's history, and the pace of live birds. */
export interface DemoSizes {
  /** Days with clips, up to today. */
  readonly days: number;
  /** Earlier days, without clips. */
  readonly pastDays: number;
  readonly perDay: readonly [number, number];
  readonly pastPerDay: readonly [number, number];
  readonly liveEveryMs: number;
}

const sizes: DemoSizes = {
  days: 6,
  pastDays: 392,
  perDay: [24, 34],
  pastPerDay: [15, 27],
  liveEveryMs: 60_000,
};

const pollMs = 5_000;
const removalBatch = 100;

/**
 * The demo that users start in the UI: drawn birds at two cameras fill the hub and keep arriving until the demo is
 * removed with everything it added. Its state is stored in the database; one process of the hub runs it, and another
 * takes over when that one ends.
 */
export class Demo {
  readonly #deps: DemoDeps;
  readonly #loop: Loop;
  /** Fires when a request has changed the state. */
  #changed = new AbortController();

  constructor(deps: DemoDeps) {
    this.#deps = deps;
    this.#loop = createLoop({
      work: (signal) => this.#runIfFree(signal),
      everyMs: pollMs,
      maxRetryMs: 60_000,
      onError: (error) => deps.log.warn({ err: error }, 'demo interrupted, will be resumed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#changed.abort(new Error('the service is stopping'));
    await this.#loop.stop();
  }

  /** Returns the state of the demo. */
  async show(): Promise<ShownDemo> {
    const { store, settings } = this.#deps;
    const [demo, hasOwnBirds, current] = await Promise.all([
      store.find(),
      store.hasOwnBirds(),
      settings.current(),
    ]);
    return {
      state: demo?.state ?? 'none',
      birds: demo?.options.region ?? null,
      done: demo?.done ?? 0,
      total: demo?.total ?? 0,
      has_own_birds: hasOwnBirds,
      has_own_place: hasOwnPlace(current, demo?.additions),
      message: demo?.message ?? null,
      started_at: demo ? new Date(demo.startedAt).toISOString() : null,
      is_ready: demo?.readyAt != null,
    };
  }

  /** Starts a demo. @throws HubError demo_running, hub_not_empty, invalid_request, storage_full */
  async create(start: DemoStart): Promise<void> {
    const { store, clock, space } = this.#deps;
    if (await store.find()) throw new HubError('demo_running');
    if (!start.beside_own_birds && (await store.hasOwnBirds())) throw new HubError('hub_not_empty');
    space.requireSpace();
    await store.create(await this.#chooseOptions(start), clock.now());
    this.#wake();
  }

  /** Removes the demo and everything it added, in the background. @throws HubError demo_not_found */
  async remove(): Promise<void> {
    await this.#deps.store.startRemoval();
    this.#wake();
  }

  /**
   * Chooses the location: that of the hub, else that of the user's device, else that of the region, moved to the time
   * zone if that is elsewhere.
   */
  async #chooseOptions(start: DemoStart): Promise<DemoOptions> {
    const { birds, seed = '1', latitude, longitude, timezone } = start;
    const { secrets, general } = await this.#deps.settings.current();
    const { language = general.language } = start;
    if (timezone !== undefined && !isTimeZone(timezone))
      throw invalidField('/timezone', 'must be an IANA time zone');
    if ((latitude === undefined) !== (longitude === undefined))
      throw invalidField(
        latitude === undefined ? '/latitude' : '/longitude',
        'is required, as only the other coordinate is given',
      );
    const own = {
      latitude: Number.parseFloat(secrets.latitude),
      longitude: Number.parseFloat(secrets.longitude),
    };
    if (Number.isFinite(own.latitude) && Number.isFinite(own.longitude)) {
      const region = birds ?? regionOf(own.longitude);
      return { ...own, region, seed, language, timezone: general.timezone };
    }
    if (latitude !== undefined && longitude !== undefined) {
      const region = birds ?? regionOf(longitude);
      return { latitude, longitude, region, seed, language, timezone: timezone ?? general.timezone };
    }
    const zone = timezone ?? general.timezone;
    const region = birds ?? (zone.startsWith('America/') ? 'america' : 'europe');
    const offsetHours = offsetMs(zone, this.#deps.clock.now()) / hourMs;
    const place = placeFittingZone(regionPlaces[region], offsetHours);
    return { ...place, region, seed, language, timezone: zone };
  }

  #wake(): void {
    this.#changed.abort(new Error('the demo was changed'));
    this.#loop.wake();
  }

  async #runIfFree(stopping: AbortSignal): Promise<void> {
    // Without a demo, no connection is occupied by the lock.
    if (!(await this.#deps.store.find())) return;
    await withAdvisoryLock(this.#deps.pool, lockNames.demo, async (lost) => {
      for (;;) {
        this.#changed = new AbortController();
        const demo = await this.#deps.store.find();
        if (!demo || stopping.aborted || lost.aborted) return;
        const changed = this.#changed.signal;
        await withAnySignal([stopping, lost, changed], (signal) => this.#work(demo, signal)).catch(
          (error: unknown) => {
            if (!this.#changed.signal.aborted) throw error;
          },
        );
      }
    });
  }

  async #work(demo: StoredDemo, signal: AbortSignal): Promise<void> {
    if (demo.state === 'removing') return this.#removeAll(demo, signal);
    const filler = new DemoFiller(this.#deps, { ...sizes, ...this.#deps.sizes }, demo, signal);
    if (demo.state === 'filling') return filler.fill();
    await filler.postLive();
  }

  async #removeAll({ additions, startedAt }: StoredDemo, signal: AbortSignal): Promise<void> {
    const { store, writer, recordingsDir, clipsDir, settings, settingsWriter, notifier } = this.#deps;
    const author = { role: 'admin', token: demoName, requestId: 'demo-removal' };
    for (;;) {
      signal.throwIfAborted();
      const batch = await store.listRecordings(removalBatch);
      if (!batch.length) break;
      await store.deleteNotifications(batch);
      const files = await store.listFiles(batch);
      await writer.removeAll(batch, author, signal);
      await this.#removeFiles(files);
      await store.deleteRecordingRows(batch);
    }
    // Clips whose recordings were not stored, as the filling was interrupted. A camera may have the same folder.
    const folder = join(recordingsDir, demoFolder);
    const clips = await listClipsIn(folder, clipsDir);
    await this.#removeFiles(clips.map((name) => posix.join(demoFolder, ...name.split(sep))));
    await removeEmptyFolders(folder);
    await rm(clipsDir, { recursive: true, force: true });
    const isWithoutOwnPlace = await unsetDemoSettings(settingsWriter, additions);
    settings.forget();
    await store.deleteRest(additions, { startedAt, isWithoutOwnPlace });
    for (const kind of ['weather', 'foods', 'everything'] as const) notifier.notify({ kind });
  }

  /** Removes files of deleted recordings at once, unless another recording names them. Failures are left to system. */
  async #removeFiles(paths: readonly string[]): Promise<void> {
    const { store, recordingsDir, log } = this.#deps;
    for (const path of await store.listUnnamed(paths)) {
      await removeRecordingFile(recordingsDir, path).catch((error: unknown) =>
        log.warn({ err: error, path }, 'file of the demo not removed'),
      );
    }
  }
}

/** Chooses the region by the side of the Atlantic. */
const regionOf = (longitude: number): Region => (longitude < -30 ? 'america' : 'europe');
