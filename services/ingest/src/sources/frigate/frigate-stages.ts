import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sentence, say } from '../sentences.js';
import {
  type Mapped,
  type SourceConfig,
  type TestStage,
  type TestStageName,
  UpstreamError,
  type UpstreamEvent,
} from '../source-kind.js';
import type { FrigateApi, FrigateVersion } from './frigate-api.js';
import {
  chooseUnit,
  type FrigateCamera,
  type FrigateEvent,
  findTracking,
  type RecordingUnit,
} from './frigate-records.js';
import { isWanted, labelsOf, listedLabels, paddingSeconds } from './map-frigate.js';

/** Dependencies of the test of a connection. */
export interface StageOptions {
  readonly signal: AbortSignal;
  /** In ms. */
  readonly now: number;
  readonly map: (
    unit: RecordingUnit,
    events: readonly FrigateEvent[],
    version: FrigateVersion,
  ) => Promise<readonly Mapped[]>;
}

const daySeconds = 86_400;
const maxCounted = 1_000;
const maxSamples = 5;
/** Clips to try, as the footage of some may be deleted. */
const maxClips = 3;
/** After this time a clip is certainly on disk. */
const settleSeconds = 60;
const maxTestSeconds = 60;
const minClipBytes = 512;

/** Tests a connection stage by stage until one fails. */
export async function* testFrigate(
  config: SourceConfig,
  api: FrigateApi,
  options: StageOptions,
): AsyncGenerator<TestStage | { readonly sample: readonly UpstreamEvent[] }> {
  let stage: TestStageName = 'address';
  try {
    const isOpen = (await api.probe(options.signal)) !== undefined;
    yield pass(stage, isOpen ? say('frigate_there') : say('frigate_wants_login'));
    stage = 'login';
    yield await testLogin(config, api, isOpen, options);
    stage = 'version';
    const version = await api.readVersion(options.signal);
    yield testVersion(version);
    stage = 'permission';
    const cameras = await api.readCameras(options.signal);
    yield await testPermission(config, api, cameras, options);
    stage = 'birds';
    const birds = await listBirds(config, api, options);
    yield testBirds(config, cameras, birds, options.now);
    const mapped = await options.map('event', birds.slice(-maxSamples), version);
    yield {
      sample: mapped.flatMap((entry) => ('event' in entry && !entry.event.isOpen ? [entry.event] : [])),
    };
    stage = 'clip';
    yield await testClip(api, birds, options);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    yield { stage, ok: false, sentences: error.sentences };
  }
}

const pass = (stage: TestStageName, ...sentences: readonly Sentence[]): TestStage => ({
  stage,
  ok: true,
  sentences,
});

async function testLogin(
  { username }: SourceConfig,
  api: FrigateApi,
  isOpen: boolean,
  { signal }: StageOptions,
): Promise<TestStage> {
  if (!username) {
    // Throws when a login is required.
    if (!isOpen) await api.readVersion(signal);
    return pass('login', say('login_not_needed'));
  }
  await api.login(signal);
  return pass('login', say('logged_in', { user: username }));
}

function testVersion({ text, major, minor }: FrigateVersion): TestStage {
  if (major === 0 && minor < 16) throw new UpstreamError('version', say('frigate_old', { version: text }));
  const isTested = major === 0 && minor <= 18;
  return pass(
    'version',
    isTested ? say('frigate_version', { version: text }) : say('frigate_newer', { version: text }),
  );
}

async function testPermission(
  config: SourceConfig,
  api: FrigateApi,
  cameras: readonly FrigateCamera[],
  { signal }: StageOptions,
): Promise<TestStage> {
  const labels = labelsOf(config);
  await api.listEvents(listedLabels(labels), { after: 1, before: undefined, limit: 1 }, signal);
  const role = await api.readRole(signal);
  if (config.options.writeBack && role !== undefined && role !== 'admin')
    throw new UpstreamError('permission', say('frigate_role', { role }));
  const unknown = Object.keys(config.options.cameras).filter(
    (name) => !cameras.some((camera) => camera.name === name),
  );
  const isReviewed = chooseUnit(cameras, labels) === 'review';
  const uncovered = findTracking(cameras, labels).uncovered.map(({ name }) => name);
  const sentences = [say(isReviewed ? 'frigate_reviews' : 'frigate_objects')];
  if (!isReviewed && uncovered.length)
    sentences.push(say('frigate_uncovered', { labels: list(labels), cameras: list(uncovered) }));
  if (unknown.length) sentences.push(say('frigate_no_camera', { cameras: list(unknown) }));
  return pass('permission', ...sentences);
}

/** Returns the wanted objects of the last day, else the last ones of the month, oldest first. */
async function listBirds(config: SourceConfig, api: FrigateApi, { now, signal }: StageOptions) {
  const labels = labelsOf(config);
  for (const days of [1, 30]) {
    const after = now / 1000 - days * daySeconds;
    const request = { after, before: undefined, limit: maxCounted };
    const listed = await api.listEvents(listedLabels(labels), request, signal);
    const birds = listed
      .flatMap((checked) => ('record' in checked ? [checked.record] : []))
      .filter((event) => isWanted(event, labels) && !event.isFalsePositive);
    if (birds.length) return birds;
  }
  return [];
}

function testBirds(
  config: SourceConfig,
  cameras: readonly FrigateCamera[],
  birds: readonly FrigateEvent[],
  now: number,
): TestStage {
  const labels = labelsOf(config);
  const { tracking } = findTracking(cameras, labels);
  const names = list(tracking.map(({ name }) => name));
  const storing = tracking.filter(({ isRecording, hasSnapshots }) => isRecording || hasSnapshots);
  const unrecorded = tracking.filter(({ isRecording }) => !isRecording).map(({ name }) => name);
  const recent = birds.filter(({ start }) => start > now / 1000 - daySeconds).length;
  const hints = unrecorded.length ? [say('frigate_no_recording', { cameras: list(unrecorded) })] : [];
  if (recent) return pass('birds', say('frigate_today', { number: toNumber(recent) }), ...hints);
  if (birds.length) return pass('birds', say('frigate_month', { number: toNumber(birds.length) }), ...hints);
  const sounds = labels.filter((label) => !tracking.length && label.startsWith('audio/'));
  if (!tracking.length && sounds.length < labels.length)
    throw new UpstreamError('birds', say('frigate_not_tracked', { labels: list(labels) }));
  if (tracking.length && !storing.length)
    throw new UpstreamError('birds', say('frigate_keeps_nothing', { cameras: names }));
  return names
    ? pass('birds', say('frigate_none', { labels: list(labels), cameras: names }), ...hints)
    : pass('birds', say('frigate_none_heard', { labels: list(labels) }));
}

/** Fetches a clip of one of the latest birds. */
async function testClip(
  api: FrigateApi,
  birds: readonly FrigateEvent[],
  { now, signal }: StageOptions,
): Promise<TestStage> {
  const isSettled = ({ end }: FrigateEvent) => end !== undefined && end < now / 1000 - settleSeconds;
  const withClip = birds
    .filter((event) => event.hasClip && isSettled(event))
    .slice(-maxClips)
    .reverse();
  if (!withClip.length) return pass('clip', say('clip_first'));
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-frigate-'));
  const statuses: number[] = [];
  try {
    for (const [index, { camera, start, end = start }] of withClip.entries()) {
      const until = Math.min(end + paddingSeconds, start + maxTestSeconds);
      const path = `/api/${encodeURIComponent(camera)}/start/${start - paddingSeconds}/end/${until}/clip.mp4`;
      const { status, sizeBytes } = await api.downloadClip(path, join(folder, `${index}.mp4`), signal);
      if (status === 200 && sizeBytes >= minClipBytes)
        return pass('clip', say('clip_fetched_size', { megabytes: toMegabytes(sizeBytes) }));
      statuses.push(status);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (statuses.includes(403)) throw new UpstreamError('clip', say('may_not_fetch', { program: 'Frigate' }));
  throw new UpstreamError(
    'clip',
    statuses.every((status) => status === 400 || status === 404)
      ? say('frigate_no_footage')
      : say('frigate_no_clip', { status: statuses.join(', ') }),
  );
}

const toNumber = (count: number) => (count >= maxCounted ? `≥ ${count}` : count);
const toMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const list = (words: readonly string[]) => words.join(', ');
