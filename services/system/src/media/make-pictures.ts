import {
  type CropKey,
  chooseFrame,
  cropName,
  cutPicture,
  decodePhotoFile,
  drawSoundPicture,
  isProgramMissing,
  listStoredCrops,
  listUnmeasured,
  type MediaFacts,
  type MediaFile,
  measurePicture,
  mediaKindOf,
  type Picture,
  readClip,
  readCrop,
  type SoundSpan,
  shrinkPicture,
  storeCrop,
  storePictureFacts,
  type ToolWork,
} from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  drawSpectrogram,
  planSpectrogram,
  spectrogramOutput,
  storeSpectrogram,
} from '../spectrograms/spectrogram.js';
import type { MediaTools } from './media-tools.js';
import {
  hasKeyedPoster,
  hasPoster,
  listSpans,
  listVideoDetections,
  type MediaVideo,
  storeKeyedPoster,
  storePoster,
} from './media-videos.js';

/** Dependencies for making pictures. */
export interface PictureDeps {
  readonly pool: pg.Pool;
  readonly writer: Pick<RecordingWriter, 'noteSpectrogram'>;
  readonly dataDir: string;
  readonly recordingsDir: string;
  readonly tools: Pick<MediaTools, 'ffmpegPath' | 'ffprobePath'>;
  readonly log: Logger;
}

/** A picture of one frame: a crop, or else the poster. */
interface FramePicture {
  readonly name: string;
  readonly seconds: number;
  readonly crop?: CropKey;
}

/** The missing pictures of a recording. Without frames, the poster is a spectrogram. */
export interface MissingPictures {
  readonly frames: readonly FramePicture[];
  readonly spectrogram: boolean;
  /** Detections marked in a spectrogram poster. */
  readonly marks: readonly SoundSpan[];
}

/** The result of making pictures, by name. */
export interface PictureResult {
  /** Undefined when the tools are not installed. */
  readonly facts: MediaFacts | undefined;
  readonly made: ReadonlySet<string>;
  /** Pictures that cannot be made of this file and are not tried again. */
  readonly impossible: ReadonlySet<string>;
}

/** Measures a crop and stores the result. A failure is only logged. */
async function measureCrop(
  { pool, log }: Pick<PictureDeps, 'pool' | 'log'>,
  crop: CropKey,
  bytes: Buffer,
): Promise<void> {
  try {
    await storePictureFacts(pool, crop, await measurePicture(bytes));
  } catch (error) {
    log.warn({ video_id: crop.videoId, err: error }, 'picture of a detection not measured');
  }
}

/** Measures stored crops of a recording from older versions; returns their number. */
export async function measureStoredCrops(
  deps: Pick<PictureDeps, 'pool' | 'dataDir' | 'log'>,
  { id: videoId }: MediaVideo,
  file: MediaFile,
  signal: AbortSignal | undefined,
): Promise<number> {
  const detections = await listVideoDetections(deps.pool, videoId);
  const unmeasured = await listUnmeasured(
    deps.pool,
    detections.map(({ id }) => id),
  );
  let measured = 0;
  for (const { id: detectionId, ...detection } of detections) {
    signal?.throwIfAborted();
    if (!unmeasured.has(detectionId)) continue;
    const crop = { videoId, detectionId, ...chooseFrame(detection) };
    const bytes = await readCrop(deps.dataDir, crop, cropName(crop, file));
    if (!bytes) continue;
    await measureCrop(deps, crop, bytes);
    measured += 1;
  }
  return measured;
}

const posterName = 'poster';
const spectrogramName = 'spectrogram';
const toolTimeoutMs = 120_000;
const posterSize = { width: 1_280, height: 720 };

/** A still picture counts as one frame. */
const photoFacts: MediaFacts = { hasVideo: true, hasAudio: false, seconds: undefined };

/** The result of an earlier run for the same file. */
export type EarlierPictures = Pick<PictureResult, 'made' | 'impossible'>;

/** Returns the missing pictures of a recording that can be made of its file. A replaced file needs a new poster. */
export async function listMissingPictures(
  { pool, dataDir }: Pick<PictureDeps, 'pool' | 'dataDir'>,
  video: MediaVideo,
  file: MediaFile,
  { isOtherFile, earlier }: { readonly isOtherFile: boolean; readonly earlier: EarlierPictures | undefined },
): Promise<MissingPictures> {
  const { id: videoId, bestSeconds, start, end } = video;
  const kind = mediaKindOf(video.videoPath);
  const isAudio = kind === 'audio';
  const marks = await listSpans(pool, videoId);
  const [detections, kept, isThere] = await Promise.all([
    isAudio ? [] : listVideoDetections(pool, videoId),
    listStoredCrops(dataDir, videoId),
    isAudio
      ? hasKeyedPoster(dataDir, videoId, file, JSON.stringify(marks))
      : hasPoster(dataDir, videoId, file),
  ]);
  const poster = { name: posterName, seconds: bestSeconds ?? (end - start) / 2000 };
  const crops = detections.map(({ id: detectionId, ...detection }): FramePicture => {
    const crop = { videoId, detectionId, ...chooseFrame(detection) };
    return { name: cropName(crop, file), seconds: crop.seconds, crop };
  });
  const isPosterOfFile = isThere && (!isOtherFile || earlier?.made.has(posterName) === true);
  // Whole pictures are cut on demand, as a sighting may have many birds.
  const aheadOfRequests = kind === 'image' ? crops.filter(({ crop }) => crop?.box) : crops;
  const missing = [
    ...(isPosterOfFile ? [] : [poster]),
    ...aheadOfRequests.filter(({ name }) => !kept.has(name)),
  ];
  const isPossible = (name: string) => !earlier?.impossible.has(name);
  return {
    frames: missing.filter(({ name }) => isPossible(name)),
    spectrogram: kind !== 'image' && video.spectrogramPath === null && isPossible(spectrogramName),
    marks,
  };
}

/**
 * Makes pictures of a file in one pass. Returns undefined when the file cannot be read.
 * @throws the reason of the signal
 */
export async function makePictures(
  deps: PictureDeps,
  video: MediaVideo,
  missing: MissingPictures,
  work: Pick<ToolWork, 'input' | 'signal' | 'isUrgent'>,
): Promise<PictureResult | undefined> {
  const { tools, dataDir, recordingsDir, writer, log } = deps;
  const run = { ...work, limitMs: toolTimeoutMs };
  const made = new Set<string>();
  /** Pictures that could not be written and may be retried. */
  const failed = new Set<string>();
  let drawn: Buffer | undefined;

  async function attempt(name: string, make: () => Promise<unknown>): Promise<void> {
    try {
      if ((await make()) !== false) made.add(name);
    } catch (error) {
      work.signal?.throwIfAborted();
      failed.add(name);
      log.warn({ video_id: video.id, err: error }, 'picture of a recording not stored');
    }
  }

  async function storeFrame({ name, crop }: FramePicture, picture: Picture): Promise<void> {
    if (!crop) return storePoster(dataDir, video.id, await shrinkPicture(picture));
    const bytes = await cutPicture(picture, crop.box);
    await storeCrop(dataDir, crop, name, bytes);
    await measureCrop(deps, crop, bytes);
  }

  async function storeDrawn(seconds: number): Promise<boolean> {
    const plan = planSpectrogram(seconds);
    const bytes = drawn ?? (await drawSpectrogram(tools.ffmpegPath, plan, run));
    if (!bytes) return false;
    const path = await storeSpectrogram(recordingsDir, video.videoPath, plan.pxPerSecond, bytes);
    return (await writer.noteSpectrogram(video.id, path)).isKept;
  }

  async function storeSoundPoster(seconds: number): Promise<boolean> {
    const { marks } = missing;
    const view = { from: 0, to: seconds, marks, ...posterSize };
    const bytes = await drawSoundPicture(tools.ffmpegPath, view, run);
    if (bytes) await storeKeyedPoster(dataDir, video.id, { bytes, key: JSON.stringify(marks) });
    return bytes !== undefined;
  }

  /** Makes the pictures of a sighting's photo. */
  async function readPhoto(): Promise<MediaFacts> {
    const picture = await decodePhotoFile(work.input);
    for (const frame of missing.frames) await attempt(frame.name, () => storeFrame(frame, picture));
    return photoFacts;
  }

  async function read(): Promise<MediaFacts | undefined> {
    if (mediaKindOf(video.videoPath) === 'image') return readPhoto();
    const { frames } = missing;
    const content = await readClip(
      tools,
      {
        times: frames.map(({ seconds }) => seconds),
        async make(picture, index) {
          const frame = frames[index];
          if (frame) await attempt(frame.name, () => storeFrame(frame, picture));
        },
        drawSound: ({ seconds }) =>
          missing.spectrogram && seconds !== undefined
            ? spectrogramOutput(planSpectrogram(seconds), (bytes) => {
                drawn = bytes;
              })
            : undefined,
      },
      run,
    );
    const { hasAudio, seconds } = content?.facts ?? {};
    if (missing.spectrogram && hasAudio && seconds !== undefined)
      await attempt(spectrogramName, () => storeDrawn(seconds));
    const isSoundAlone = content?.facts.hasVideo === false && hasAudio;
    if (isSoundAlone && seconds !== undefined && frames.some(({ name }) => name === posterName))
      await attempt(posterName, () => storeSoundPoster(seconds));
    return content?.facts;
  }

  function isImpossible(name: string): boolean {
    return !made.has(name) && !failed.has(name);
  }

  try {
    const facts = await read();
    if (!facts) return undefined;
    const wanted = [...missing.frames.map(({ name }) => name), spectrogramName];
    return { facts, made, impossible: new Set(wanted.filter(isImpossible)) };
  } catch (error) {
    if (isProgramMissing(error)) return { facts: undefined, made, impossible: new Set() };
    work.signal?.throwIfAborted();
    log.warn({ video_id: video.id, err: error }, 'recording not read');
    return undefined;
  }
}
