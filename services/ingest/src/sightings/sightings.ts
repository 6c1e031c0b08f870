import { createHash, randomUUID } from 'node:crypto';
import { canonicalVideoPath, type PhotoTime } from '@birdhub/domain/media';
import {
  type Author,
  NothingToStoreError,
  type PostedDetection,
  type PostOptions,
  type RecordingWriter,
} from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import { normaliseSpeciesName } from '@birdhub/domain/species';
import { type ErrorDetail, HubError, refuse, refused } from '@birdhub/shared/errors';
import { type Clock, firstInstantAt, msSql, parseInstant } from '@birdhub/shared/time';
import { compileSchema, invalidRequest, toDetails } from '@birdhub/shared/validation';
import type pg from 'pg';
import { isName, isPlainText, isPlainTextOfLines } from '../plain-text.js';
import { checkInstant, checkLength } from '../recordings/recording-body.js';
import type { SpaceGuard } from '../space-guard.js';
import type { ReceivedPicture, SightingPictures } from './sighting-pictures.js';
import { type SightingBody, SightingBodySchema } from './sightings.schema.js';

export type { SightingBody } from './sightings.schema.js';

/** Dependencies for storing a sighting. */
export interface SightingDeps {
  readonly pool: pg.Pool;
  readonly writer: Pick<RecordingWriter, 'post'>;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly clock: Clock;
  readonly space: Pick<SpaceGuard, 'requireSpace'>;
  readonly pictures: Pick<SightingPictures, 'receive'>;
}

/** Options of a sighting. */
export interface SightingOptions {
  readonly requestId: string;
  /** Fires when the caller disconnects; a sighting that is not being written yet is then dropped. */
  readonly signal?: AbortSignal;
  /** The detector or interface that reported it. */
  readonly provider?: string;
  /** The person who reported it; the sighting then counts as reviewed, regardless of its confidence. */
  readonly author?: Author;
  /** Whether the sighting is stored without its picture when that cannot be used; default: it is refused. */
  readonly isPictureOptional?: boolean;
}

/** The effect of a posted sighting. */
export interface SightingResult {
  /** Undefined when its confidence is below the minimum or it is noise: nothing was stored. */
  readonly videoId: number | undefined;
  readonly created: boolean;
  /** Whether a person deleted it earlier; nothing was stored then. */
  readonly deleted: boolean;
  readonly detections: number;
  readonly dropped: number;
  readonly visitIds: readonly number[];
  /** Why the sighting was stored without its picture. */
  readonly pictureProblem?: string | undefined;
}

/** The provider of sightings by people. */
const personProvider = 'human';
/** Value of `processor_version` for sightings. */
const processorVersion = 'sighting';
const defaultLengthMs = 1_000;

/**
 * Validates and stores a sighting as a recording with a picture or without a medium, with a detection for each bird.
 * Idempotent.
 * @throws HubError invalid_request, storage_full, insufficient_storage, busy; the reason of the signal
 */
export async function storeSighting(
  deps: SightingDeps,
  posted: SightingBody,
  options: SightingOptions,
): Promise<SightingResult> {
  const body = requireSighting(posted, deps.clock.now());
  deps.space.requireSpace();
  const { detection, general } = await deps.settings.current();
  const count = body.count ?? 1;
  if (!options.author && (body.confidence ?? 1) < detection.min_confidence_to_store)
    return nothingStored(count);
  const sighting = new PostedSighting(deps, body, { ...options, zone: general.timezone });
  try {
    return await sighting.store();
  } catch (error) {
    if (!(error instanceof NothingToStoreError)) throw error;
    if (options.author) throw refused('/species_name', 'noise_sighting');
    return nothingStored(count);
  }
}

const nothingStored = (dropped: number): SightingResult => ({
  videoId: undefined,
  created: false,
  deleted: false,
  detections: 0,
  dropped,
  visitIds: [],
});

/** A stored sighting. */
interface KnownSighting {
  readonly isDeleted: boolean;
  readonly media: 'pending' | 'ready' | 'missing' | 'purged' | 'none' | null;
  /** In ms since the epoch; null for a deleted one. */
  readonly start: number | null;
  readonly extra: SightingExtra | null;
  readonly isAtEarlierPath: boolean;
}

/** Stored with the recording of a sighting, to recognise repeated posts. */
interface SightingExtra {
  /** Digest of the posted picture, or of its address. */
  readonly picture?: string | undefined;
  /** When a person reported it, RFC 3339. */
  readonly reported_at?: string | undefined;
}

const knownSql = `
  SELECT false AS "isDeleted", media, ${msSql('start_time')} AS start, extra,
    video_path = $3 AS "isAtEarlierPath"
  FROM video WHERE camera_id = $1 AND video_path IN ($2, $3)
  UNION ALL
  SELECT true, NULL, NULL, NULL, video_path = $3 FROM deleted_video WHERE camera_id = $1 AND video_path IN ($2, $3)`;

class PostedSighting {
  readonly #deps: SightingDeps;
  readonly #body: SightingBody;
  readonly #options: SightingOptions & { readonly zone: string };
  /** Undefined until the picture is needed. */
  #received: ReceivedPicture | undefined;
  /** Why an optional picture cannot be used. */
  #pictureProblem: string | undefined;

  constructor(deps: SightingDeps, body: SightingBody, options: SightingOptions & { readonly zone: string }) {
    this.#deps = deps;
    this.#body = body;
    this.#options = options;
  }

  async store(): Promise<SightingResult> {
    try {
      const key = await this.#key();
      const path = pathOf([key, this.#body.camera_id ?? '']);
      // Before, cameras with the same ids shared a path.
      const earlierPath = pathOf([key]);
      const known = await this.#findKnown(path, earlierPath);
      const result = await this.#post(known?.isAtEarlierPath ? earlierPath : path, known);
      return { ...result, pictureProblem: this.#pictureProblem };
    } finally {
      await this.#received?.discard();
    }
  }

  /** Returns the key of a sighting: its id, or else its content and time, so that equal ones are the same. */
  async #key(): Promise<string> {
    const { id, image_base64, image_url, ...content } = this.#body;
    if (id != null) return digest(['id', id]);
    const time = parseTime(content.time) ?? (await this.#takenAt());
    if (time === undefined) return randomUUID();
    const { species_name, end_time, confidence, count, source, note } = content;
    const own = [normaliseSpeciesName(species_name), end_time, confidence, count, source, note];
    return digest(['content', time, ...own, digestOfPicture(this.#body)]);
  }

  async #findKnown(path: string, earlierPath: string): Promise<KnownSighting | undefined> {
    const values = [this.#body.camera_id ?? '', canonicalVideoPath(path), canonicalVideoPath(earlierPath)];
    const query = { name: 'known-sighting', text: knownSql, values };
    return (await this.#deps.pool.query<KnownSighting>(query)).rows[0];
  }

  async #post(path: string, known: KnownSighting | undefined): Promise<SightingResult> {
    const { requestId, signal, author } = this.#options;
    const { start, end } = await this.#span(known);
    const given = digestOfPicture(this.#body);
    const isStored = given !== undefined && known?.extra?.picture === given && hasPicture(known);
    const isWanted = given !== undefined && !isStored && !known?.isDeleted && known?.media !== 'purged';
    const draft = isWanted ? await this.#usePicture((received) => received.write(path)) : undefined;
    const picture = isWanted && !draft ? known?.extra?.picture : given;
    const reportedAt =
      author && (known?.extra?.reported_at ?? new Date(this.#deps.clock.now()).toISOString());
    const extra: SightingExtra = { picture, reported_at: reportedAt };
    const recording = {
      processorVersion,
      start,
      end,
      videoPath: canonicalVideoPath(path),
      cameraId: this.#body.camera_id ?? '',
      spectrogramPath: null,
      triggerSource: null,
      extra: picture || reportedAt ? { ...extra } : null,
      detections: this.#detections((end - start) / 1000, reportedAt),
      hasFile: picture !== undefined,
      note: this.#body.note?.trim() || undefined,
    };
    const log = author && { alsoWrite: logSighting(author, recording.detections) };
    return this.#deps.writer.post(recording, requestId, {
      needsDetections: true,
      isByPerson: author !== undefined,
      ...(signal && { signal }),
      ...(draft && { beforeCommit: () => draft.publish() }),
      ...log,
    });
  }

  #detections(seconds: number, reportedAt: string | undefined): PostedDetection[] {
    const { species_name, confidence, count, source } = this.#body;
    const { provider, author } = this.#options;
    return Array.from({ length: count ?? 1 }, (_, index) => ({
      speciesName: normaliseSpeciesName(species_name),
      confidence: confidence ?? 1,
      startOffset: 0,
      endOffset: seconds,
      source: source ?? 'video',
      trackId: String(index + 1),
      provider: author ? personProvider : (provider ?? null),
      frames: [],
      extra: null,
      ...(author && { reviewed: true, reviewedAt: reportedAt ?? null }),
    }));
  }

  /** Returns start and end. A sighting that is posted again without a time keeps its time. */
  async #span(known: KnownSighting | undefined): Promise<{ start: number; end: number }> {
    const given = parseTime(this.#body.time) ?? known?.start ?? undefined;
    const start = given ?? (await this.#takenAt()) ?? this.#deps.clock.now();
    const end = parseTime(this.#body.end_time) ?? start + defaultLengthMs;
    const problem = checkLength(start, end, 'time');
    if (problem) throw invalidRequest([problem]);
    return { start, end };
  }

  /** Returns when the picture was taken; undefined when unknown or implausible. */
  async #takenAt(): Promise<number | undefined> {
    if (digestOfPicture(this.#body) === undefined) return undefined;
    const takenAt = await this.#usePicture((received) => received.takenAt);
    const time = takenAt && instantOf(takenAt, this.#options.zone);
    const isPossible = time !== undefined && checkInstant(time, this.#deps.clock.now()) === undefined;
    return isPossible ? time : undefined;
  }

  /** Returns undefined when the picture is optional and cannot be used. */
  async #usePicture<T>(use: (received: ReceivedPicture) => T | Promise<T>): Promise<T | undefined> {
    if (this.#pictureProblem !== undefined) return undefined;
    try {
      this.#received ??= await this.#deps.pictures.receive(this.#body, this.#options.signal);
      return await use(this.#received);
    } catch (error) {
      const isUnusable = error instanceof HubError && error.code === 'invalid_request';
      if (!isUnusable || !this.#options.isPictureOptional) throw error;
      this.#pictureProblem = error.message;
      return undefined;
    }
  }
}

const hasPicture = ({ media }: KnownSighting) => media === 'pending' || media === 'ready';

/** Returns the path of the picture of a sighting, distributed over 256 folders. */
const pathOf = (key: readonly string[]) => {
  const name = digest(key).slice(0, 32);
  return `sightings/${name.slice(0, 2)}/${name}.jpg`;
};

const digest = (parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

function digestOfPicture({ image_base64, image_url }: SightingBody): string | undefined {
  if (image_base64 != null) return createHash('sha256').update(image_base64).digest('base64url');
  return image_url == null ? undefined : digest(['url', image_url]);
}

const parseTime = (text: string | null | undefined) => (text == null ? undefined : parseInstant(text));

function instantOf({ wallMs, offsetMinutes }: PhotoTime, zone: string): number | undefined {
  if (Math.abs(wallMs) > 8e15) return undefined;
  return offsetMinutes === undefined ? firstInstantAt(zone, wallMs) : wallMs - offsetMinutes * 60_000;
}

const isSighting = compileSchema(SightingBodySchema, 'all');

/** Validates a sighting. @throws HubError invalid_request naming each invalid field */
function requireSighting(body: unknown, now: number): SightingBody {
  if (!isSighting(body)) throw invalidRequest(toDetails(isSighting.errors ?? [], 'body'));
  const sighting = body as SightingBody;
  const details = [...checkTexts(sighting), ...checkTimes(sighting, now), ...checkPicture(sighting)];
  if (details.length) throw invalidRequest(details);
  return sighting;
}

function checkTexts({ species_name, camera_id, note, id }: SightingBody): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (!isName(species_name)) details.push(refuse('/species_name', 'plain_name'));
  for (const [path, text] of [['/camera_id', camera_id] as const, ['/id', id] as const]) {
    if (text && !isPlainText(text)) details.push(refuse(path, 'plain_text'));
  }
  if (note && !isPlainTextOfLines(note))
    details.push({
      ...refuse('/note', 'plain_text'),
      message: 'must not have control characters other than line breaks',
    });
  return details;
}

function checkTimes({ time, end_time }: SightingBody, now: number): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const [path, text] of [['/time', time] as const, ['/end_time', end_time] as const]) {
    const instant = parseTime(text);
    if (text != null && instant === undefined) details.push(refuse(path, 'date_time'));
    const problem = instant === undefined ? undefined : checkInstant(instant, now);
    if (problem) details.push(refuse(path, problem));
  }
  const [start, end] = [parseTime(time), parseTime(end_time)];
  const isSpan = start !== undefined && end !== undefined && !details.length;
  const problem = isSpan ? checkLength(start, end, 'time') : undefined;
  return problem ? [...details, problem] : details;
}

function checkPicture({ image_base64, image_url }: SightingBody): ErrorDetail[] {
  if (image_url == null) return [];
  const message = 'must be an http or https address';
  if (image_base64 != null) return [{ path: '/image_url', message: 'must not be given with image_base64' }];
  if (!URL.canParse(image_url)) return [{ path: '/image_url', message }];
  const { protocol } = new URL(image_url);
  return protocol === 'http:' || protocol === 'https:' ? [] : [{ path: '/image_url', message }];
}

/** Logs a sighting reported by a person. */
function logSighting(
  author: Author,
  detections: readonly PostedDetection[],
): NonNullable<PostOptions['alsoWrite']> {
  const { role, token } = author;
  return ({ client, send }, videoId) => {
    const [{ speciesName } = { speciesName: '' }] = detections;
    const data = { by: role, token, video_id: videoId, species_name: speciesName, count: detections.length };
    const sql = `INSERT INTO activity_log (type, data) VALUES ('sighting_added', $1::jsonb)`;
    send(client.query(sql, [JSON.stringify(data)]));
  };
}
