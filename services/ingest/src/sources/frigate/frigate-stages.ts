import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type SourceConfig,
  type TestStage,
  type TestStageName,
  UpstreamError,
  type UpstreamEvent,
} from '../source-kind.js';
import type { Mapped } from '../upstream-values.js';
import type { FrigateApi, FrigateVersion } from './frigate-api.js';
import {
  chooseUnit,
  type FrigateCamera,
  type FrigateEvent,
  findTracking,
  type RecordingUnit,
} from './frigate-records.js';
import { isWanted, labelsOf, listedLabels, paddingSeconds } from './map-frigate.js';

/** What the test of a connection works with. */
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
/** Clips that are tried: the footage of some may be deleted by now. */
const maxClips = 3;
/** A clip is on the disk by then. */
const settleSeconds = 60;
const maxTestSeconds = 60;
const minClipBytes = 512;

/** Tests a connection stage by stage, and ends with the first that fails. */
export async function* testFrigate(
  config: SourceConfig,
  api: FrigateApi,
  options: StageOptions,
): AsyncGenerator<TestStage | { readonly sample: readonly UpstreamEvent[] }> {
  let stage: TestStageName = 'address';
  try {
    const isOpen = (await api.probe(options.signal)) !== undefined;
    yield pass(stage, isOpen ? 'Frigate is there.' : 'It is there, and asks for a login.');
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
    yield { stage, ok: false, detail: error.message };
  }
}

const pass = (stage: TestStageName, detail: string): TestStage => ({ stage, ok: true, detail });

async function testLogin(
  { username }: SourceConfig,
  api: FrigateApi,
  isOpen: boolean,
  { signal }: StageOptions,
): Promise<TestStage> {
  if (!username) {
    // Throws where a login is asked for.
    if (!isOpen) await api.readVersion(signal);
    return pass('login', 'No login is asked for.');
  }
  await api.login(signal);
  return pass('login', `Logged in as ${username}.`);
}

function testVersion({ text, major, minor }: FrigateVersion): TestStage {
  if (major === 0 && minor < 16)
    throw new UpstreamError(
      'version',
      `Frigate ${text} is too old: 0.16 or later is needed. Please update Frigate.`,
    );
  const isTried = major === 0 && minor <= 18;
  return pass(
    'version',
    isTried ? `Frigate ${text}.` : `Frigate ${text}, which is newer than was tried here.`,
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
    throw new UpstreamError(
      'permission',
      `Names cannot be written back: this user has the role ${role}, and the role admin is needed.`,
    );
  const unknownNames = Object.keys(config.options.cameras).filter(
    (name) => !cameras.some((camera) => camera.name === name),
  );
  const unit = chooseUnit(cameras, labels);
  const { uncovered } = findTracking(cameras, labels);
  const how =
    unit === 'review'
      ? 'Birds can be read; each review item becomes one recording.'
      : uncovered.length
        ? `Birds can be read; each tracked object becomes a recording of its own, as not every ${listOr(labels)} is in a review item on ${listAnd(uncovered.map(({ name }) => name))} (see review → detections → labels).`
        : 'Birds can be read; each tracked object becomes a recording of its own.';
  const note = unknownNames.length ? ` Frigate has no camera ${listOr(unknownNames)}.` : '';
  return pass('permission', how + note);
}

/** Returns the wanted objects of the last day, else the last ones of the month, the oldest first. */
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
  const names = listAnd(tracking.map(({ name }) => name));
  const still = tracking.filter(({ isRecording, hasSnapshots }) => !isRecording && !hasSnapshots);
  const silent = tracking.filter(({ isRecording }) => !isRecording);
  const recent = birds.filter(({ start }) => start > now / 1000 - daySeconds).length;
  const hint = silent.length
    ? ` ${listAnd(silent.map(({ name }) => name))} does not record (record → enabled), so there are no clips from there.`
    : '';
  if (recent) return pass('birds', `${toCount(recent)} in the last 24 hours.${hint}`);
  if (birds.length)
    return pass('birds', `None in the last 24 hours, ${toCount(birds.length)} in the last 30 days.${hint}`);
  const sounds = labels.filter((label) => !tracking.length && label.startsWith('audio/'));
  if (!tracking.length && sounds.length < labels.length)
    throw new UpstreamError(
      'birds',
      `No camera of Frigate tracks ${listOr(labels)}: add it to objects → track in the configuration of Frigate.`,
    );
  if (still.length && still.length === tracking.length)
    throw new UpstreamError(
      'birds',
      `Frigate keeps nothing of what it sees on ${names}: turn on record → enabled, or snapshots → enabled.`,
    );
  return pass(
    'birds',
    `None in the last 30 days. Frigate looks for ${listOr(labels)} on ${names || 'its microphones'}.${hint}`,
  );
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
  if (!withClip.length) return pass('clip', 'There is no bird with a clip yet: the first one will show.');
  const folder = await mkdtemp(join(tmpdir(), 'birdhub-frigate-'));
  const statuses: number[] = [];
  try {
    for (const [index, { camera, start, end = start }] of withClip.entries()) {
      const until = Math.min(end + paddingSeconds, start + maxTestSeconds);
      const path = `/api/${encodeURIComponent(camera)}/start/${start - paddingSeconds}/end/${until}/clip.mp4`;
      const { status, sizeBytes } = await api.downloadClip(path, join(folder, `${index}.mp4`), signal);
      if (status === 200 && sizeBytes >= minClipBytes)
        return pass('clip', `A clip of ${toMegabytes(sizeBytes)} MB was fetched.`);
      statuses.push(status);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (statuses.includes(403)) throw new UpstreamError('clip', 'This user of Frigate may not fetch clips.');
  throw new UpstreamError(
    'clip',
    statuses.every((status) => status === 400 || status === 404)
      ? 'Frigate has no footage of the latest birds: look at record → enabled and at how long recordings are kept.'
      : `Frigate did not return a clip (status ${statuses.join(', ')}).`,
  );
}

const toCount = (count: number) => {
  const more = count >= maxCounted ? 'at least ' : '';
  return count === 1 ? '1 bird' : `${more}${count} birds`;
};
const toMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const listAnd = (words: readonly string[]) =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(words);
const listOr = (words: readonly string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(words);
