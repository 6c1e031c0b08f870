import { join } from 'node:path';
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import { findPhotographs } from '@birdhub/demo/birds';
import { FfmpegMissingError, placeClip, prepareClip } from '@birdhub/demo/clips';
import {
  birdListOf,
  demoVersion,
  lastDays,
  lightAt,
  type PlannedRecording,
  type PlanOptions,
  planDay,
  planVisit,
  recordingAt,
  seasonOf,
  sunOf,
  withTracks,
} from '@birdhub/demo/plan';
import { between, seededRandom } from '@birdhub/demo/random';
import { videoPathOf } from '@birdhub/domain/media';
import type { PostedRecording } from '@birdhub/domain/recordings';
import { chooseOwnPictures } from '@birdhub/domain/species';
import { settleAll } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import { dayMs, hourMs, localDay, previousDay } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type { DemoDeps, DemoSizes } from './demo.js';
import { cameraOf, type DemoAdditions, demoFolder, demoName, type StoredDemo } from './demo.store.js';
import { planFoods, planWeather } from './demo-garden.js';
import { planDemoSettings, setDemoSettings } from './demo-settings.js';

/** Maximum clips drawn concurrently. */
const maxClips = 2;
/** Maximum concurrent posts, which the writer groups. */
const maxPosts = 64;
const heartbeatIntervalMs = 30_000;
const reviewedCount = 20;
const favoriteCount = 4;
/** Share of nights with an owl, which calls so often that it would otherwise be the most frequent bird. */
const owlNights = { recent: 0.4, past: 0.1 } as const;
/** After this time live birds become rare, so that a forgotten demo does not fill the disk. */
const busyMs = 2 * hourMs;
const quietFactor = 20;
const recordingsBetweenReports = 200;

/** Fills the hub with the history of a demo, then with live birds. */
export class DemoFiller {
  readonly #deps: DemoDeps;
  readonly #sizes: DemoSizes;
  readonly #demo: StoredDemo;
  readonly #signal: AbortSignal;
  readonly #plan: PlanOptions;
  #additions: DemoAdditions;
  #canDraw = true;

  constructor(deps: DemoDeps, sizes: DemoSizes, demo: StoredDemo, signal: AbortSignal) {
    const { region, seed, latitude, longitude, timezone } = demo.options;
    this.#deps = deps;
    this.#sizes = sizes;
    this.#demo = demo;
    this.#signal = signal;
    this.#additions = demo.additions;
    this.#plan = {
      seed,
      list: birdListOf(region, findPhotographs()),
      place: { latitude, longitude },
      zone: timezone,
    };
  }

  /** Fills the hub, today first; continues after the last finished step. */
  async fill(): Promise<void> {
    const { startedAt, options } = this.#demo;
    const { days, pastDays } = this.#sizes;
    const { pool, settings, settingsWriter, store, notifier } = this.#deps;
    await store.writeHeartbeat(this.#deps.clock.now());
    // Stored first, so that the settings can be reverted even if the process is killed in between.
    if (!this.#additions.settings) {
      this.#additions = { ...this.#additions, ...(await planDemoSettings(settings, options)) };
      await this.#report();
    }
    await this.#once('settings', () =>
      setDemoSettings(settings, settingsWriter, this.#additions, options.language),
    );
    await this.#once('weather', async () => {
      const { latitude } = options;
      await store.addWeather(
        planWeather(startedAt - (days + pastDays) * dayMs, startedAt - 8 * dayMs, 3 * hourMs, latitude),
      );
      await store.addWeather(planWeather(startedAt - 8 * dayMs, startedAt, hourMs, latitude));
    });
    await this.#once('foods', async () => {
      if (!this.#additions.foodIds)
        this.#additions = await store.addFoods(planFoods(startedAt, options.language), this.#additions);
    });
    notifier.notify({ kind: 'weather' });
    notifier.notify({ kind: 'foods' });
    const dates = lastDays(this.#plan.zone, startedAt, days);
    const [today = '', ...earlier] = dates;
    const past = lastDays(this.#plan.zone, startedAt - days * dayMs, pastDays);
    await this.#count(dates, past);
    await this.#once(today, () => this.#postDay(this.#ofToday(today)));
    await store.update({ readyAt: new Date(this.#deps.clock.now()) });
    // Does not wait for the next scheduled run.
    await chooseOwnPictures(pool, notifier);
    await this.#once('past', () => this.#postPast(past));
    for (const date of earlier)
      await this.#once(date, () => this.#postDay(this.#planned(date, this.#sizes.perDay)));
    await this.#once('reviews', () => this.#review());
    await chooseOwnPictures(pool, notifier);
    await store.update({ state: 'live', done: await store.countRecordings() });
  }

  /** Posts live birds until the signal fires. */
  async postLive(): Promise<void> {
    const { clock, store, space, log } = this.#deps;
    const { list, place, zone } = this.#plan;
    const random = seededRandom(`${this.#plan.seed} live ${clock.now()}`);
    let nextAt = clock.now() + 3_000;
    let heartbeatAt = 0;
    for (;;) {
      this.#signal.throwIfAborted();
      const now = clock.now();
      if (now >= heartbeatAt) {
        await store.writeHeartbeat(now);
        await store.addWeather(planWeather(now - hourMs, now, hourMs, place.latitude));
        heartbeatAt = now + heartbeatIntervalMs;
      }
      if (now >= nextAt) {
        const date = localDay(zone, now);
        const light = lightAt(now, sunOf(date, place));
        // Night counts as dusk, so that birds appear at any hour.
        const when = { season: seasonOf(date, place), light: light === 'night' ? 'dusk' : light } as const;
        const [visit] = planVisit(random, list, when);
        if (visit && !space.isFull)
          await this.#post(recordingAt(visit, now - visit.clip.seconds * 1_000, zone), true).catch(
            (error: unknown) => {
              this.#signal.throwIfAborted();
              log.warn({ err: error }, 'demo bird not stored');
            },
          );
        const isBusy = now - this.#demo.startedAt < busyMs;
        nextAt = now + this.#sizes.liveEveryMs * (isBusy ? 1 : quietFactor) * between(random, 0.6, 1.4);
      }
      await pause(Math.max(20, Math.min(nextAt, heartbeatAt) - clock.now()), undefined, {
        signal: this.#signal,
      });
    }
  }

  /** Runs a step unless it is finished. */
  async #once(step: string, work: () => Promise<void>): Promise<void> {
    if (this.#additions.steps?.includes(step)) return;
    this.#signal.throwIfAborted();
    await work();
    this.#additions = { ...this.#additions, steps: [...(this.#additions.steps ?? []), step] };
    await this.#report();
  }

  async #report(): Promise<void> {
    const { store, clock } = this.#deps;
    await store.update({ additions: this.#additions, done: await store.countRecordings() });
    await store.writeHeartbeat(clock.now());
  }

  /** Stores the total number of recordings. */
  async #count(dates: readonly string[], past: readonly string[]): Promise<void> {
    if (this.#demo.total > 0) return;
    let total = 0;
    for (const [index, date] of dates.entries()) {
      total += (index === 0 ? this.#ofToday(date) : this.#planned(date, this.#sizes.perDay)).length;
    }
    const [today = ''] = dates;
    // Soon after midnight the previous day is part of today.
    if (this.#ofToday(today).length > this.#planned(today, this.#sizes.perDay).length)
      total -= this.#planned(previousDay(today), this.#sizes.perDay).length;
    for (const date of past) {
      total += this.#ofPast(date).length;
      await breathe();
    }
    await this.#deps.store.update({ total });
  }

  /** Returns the recordings to post first, with those of yesterday when today has too few. */
  #ofToday(date: string): PlannedRecording[] {
    const today = this.#planned(date, this.#sizes.perDay);
    if (today.length >= 6 || this.#sizes.days < 2) return today;
    return [...today, ...this.#planned(previousDay(date), this.#sizes.perDay)];
  }

  #ofPast(date: string): PlannedRecording[] {
    const past = this.#planned(date, this.#sizes.pastPerDay, owlNights.past);
    return past.filter(({ detections }) => detections.length);
  }

  #planned(date: string, perDay: readonly [number, number], nights: number = owlNights.recent) {
    const { startedAt } = this.#demo;
    return planDay(date, { ...this.#plan, perDay, owlNights: nights })
      .filter(({ endAt }) => endAt <= startedAt)
      .toReversed();
  }

  async #postDay(day: readonly PlannedRecording[]): Promise<void> {
    const limit = pLimit(maxClips);
    let posted = 0;
    await settleAll(
      day.map((recording) =>
        limit(async () => {
          this.#signal.throwIfAborted();
          await this.#post(recording, true);
          posted += 1;
          if (posted % 8 === 0) await this.#report();
        }),
      ),
    );
  }

  async #postPast(dates: readonly string[]): Promise<void> {
    const limit = pLimit(maxPosts);
    let waiting: Promise<void>[] = [];
    for (const date of dates) {
      this.#signal.throwIfAborted();
      for (const recording of this.#ofPast(date)) {
        const post = limit(async () => {
          this.#signal.throwIfAborted();
          await this.#post(recording, false);
        });
        // Prevents an unhandled rejection; `settleAll` throws failures.
        post.catch(() => undefined);
        waiting.push(post);
      }
      await breathe();
      if (waiting.length < recordingsBetweenReports) continue;
      await settleAll(waiting);
      waiting = [];
      await this.#report();
    }
    await settleAll(waiting);
  }

  /** Stores the file of a recording, then the recording. @throws HubError storage_full */
  async #post(recording: PlannedRecording, wantsFile: boolean): Promise<void> {
    const { writer, space } = this.#deps;
    const path = `${demoFolder}/${recording.videoPath}`;
    space.requireSpace();
    const hasFile = wantsFile && (await this.#placeFile(recording, path));
    const drawn = hasFile ? await withTracks(recording) : recording;
    const posted: PostedRecording = {
      processorVersion: demoVersion,
      start: drawn.startAt,
      end: drawn.endAt,
      videoPath: videoPathOf(path),
      cameraId: cameraOf(drawn.camera),
      spectrogramPath: null,
      triggerSource: drawn.trigger,
      extra: { demo: true },
      detections: drawn.detections,
      ...(!hasFile && { hasFile }),
    };
    await writer.post(posted, 'demo', {
      signal: this.#signal,
      alsoWrite: ({ client, send }, videoId) =>
        send(
          client.query('INSERT INTO demo_recording (video_id) VALUES ($1) ON CONFLICT DO NOTHING', [videoId]),
        ),
    });
  }

  async #placeFile({ clip }: PlannedRecording, path: string): Promise<boolean> {
    if (!this.#canDraw) return false;
    const { clipsDir, recordingsDir, ffmpegPath, store } = this.#deps;
    try {
      await prepareClip(clipsDir, clip, { ffmpegPath, signal: this.#signal });
      await placeClip(clipsDir, clip, join(recordingsDir, path));
      return true;
    } catch (error) {
      if (!(error instanceof FfmpegMissingError)) throw error;
      this.#canDraw = false;
      await store.update({ message: 'The demo has no clips, as ffmpeg is not installed.' });
      return false;
    }
  }

  /** Confirms some detections and marks some recordings as favourites, as a user would. */
  async #review(): Promise<void> {
    const { store, writer } = this.#deps;
    const author = { role: 'admin', token: demoName, requestId: 'demo' };
    const chosen = await store.listForReview(reviewedCount);
    for (const [index, { id, videoId }] of chosen.entries()) {
      this.#signal.throwIfAborted();
      await writer.confirm(id, author).catch(ignoreGone);
      if (index < favoriteCount) await writer.markFavorite(videoId, true).catch(ignoreGone);
    }
  }
}

/** Ignores that a user has deleted a recording of the demo. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof HubError) || error.status >= 500) throw error;
}
