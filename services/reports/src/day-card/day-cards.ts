import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { speciesNameIn } from '@birdhub/domain/language';
import { findStoredCrop, posterFile } from '@birdhub/domain/media';
import { BoundedMap, createLimiter, createSingleFlight } from '@birdhub/shared/async';
import { errorCode } from '@birdhub/shared/errors';
import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import sharp from 'sharp';
import { listPictureCandidates, type PictureCandidate } from '../monthly-report/report.store.js';
import { type CardContent, layOutCard, maxCardPictures, type Slot } from './lay-out-card.js';
import { OutlinedText } from './outlined-text.js';

/** Dependencies of {@link DayCards}. */
export interface DayCardsDeps {
  readonly pool: pg.Pool;
  /** Stored crops and posters are below its folder `derived`. */
  readonly dataDir: string;
  readonly log: Pick<Logger, 'warn'>;
}

/** A requested card. */
interface CardRequest {
  readonly content: CardContent;
  /** The day of the card. */
  readonly window: TimeWindow;
  /** Whether whole frames may stand in for missing crops. */
  readonly mayShowFrames: boolean;
}

/** A drawn card. */
export interface DayCard {
  readonly bytes: Buffer;
  /** Changes with the content of the card. */
  readonly etag: string;
}

interface CardPicture {
  readonly species: string;
  readonly file: string;
}

const renderLimits = { max: 1, maxWaiting: 16, waitTimeoutMs: 15_000 };
/** Maximum cached cards, of half a megabyte each. */
const maxCached = 24;

/** Draws day cards, one at a time, and caches the latest ones in memory. */
export class DayCards {
  readonly #deps: DayCardsDeps;
  readonly #limiter = createLimiter(renderLimits);
  readonly #flights = createSingleFlight<DayCard>();
  readonly #cached = new BoundedMap<string, DayCard>(maxCached);
  #text: OutlinedText | undefined;

  constructor(deps: DayCardsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the card of a day as PNG; concurrent equal requests share one rendering.
   * @throws HubError busy, the reason of an abort
   */
  async get(request: CardRequest, signal: AbortSignal): Promise<DayCard> {
    const { content, mayShowFrames } = request;
    const pictures = await this.#findPictures(request);
    const key = createHash('sha256')
      .update(JSON.stringify([content, pictures, mayShowFrames]))
      .digest('base64url');
    const cached = this.#cached.get(key);
    if (cached) return cached;
    const make = (shared: AbortSignal) =>
      this.#limiter.run(() => this.#make(key, content, pictures), { signal: shared });
    return this.#flights.run(key, make, signal);
  }

  async #make(key: string, content: CardContent, pictures: readonly CardPicture[]): Promise<DayCard> {
    const readable = await this.#readPictures(pictures);
    // The fonts are loaded for the first card.
    this.#text ??= await OutlinedText.load();
    const names = readable.map(({ species }) => speciesNameIn(content.language, species));
    const { background, overlay, slots } = layOutCard(content, names, this.#text);
    const parts = await Promise.all(
      slots.map(async (slot, at) => ({
        input: await cover(readable[at]?.bytes ?? Buffer.alloc(0), slot),
        left: slot.left,
        top: slot.top,
      })),
    );
    const bytes = await sharp(Buffer.from(background))
      .composite([...parts, { input: Buffer.from(overlay), left: 0, top: 0 }])
      .png({ palette: true, quality: 95, effort: 6 })
      .toBuffer();
    const card = { bytes, etag: `"${key.slice(0, 22)}"` };
    this.#cached.set(key, card);
    return card;
  }

  /** Finds stored pictures of the most frequent species; no picture is created for a card. */
  async #findPictures({ content, window, mayShowFrames }: CardRequest): Promise<CardPicture[]> {
    const seen = content.facts.species.filter(({ isHeardOnly }) => !isHeardOnly).slice(0, maxSearchedSpecies);
    const candidates = await listPictureCandidates(
      this.#deps.pool,
      seen.map(({ id }) => id),
      window,
    );
    const found: CardPicture[] = [];
    for (const { id, name } of seen) {
      if (found.length === maxCardPictures) break;
      const ofSpecies = candidates.filter(({ speciesId }) => speciesId === id);
      const file =
        (await this.#findCrop(ofSpecies)) ?? (mayShowFrames ? await this.#findFrame(ofSpecies) : undefined);
      if (file !== undefined) found.push({ species: name, file });
    }
    return found;
  }

  async #findCrop(candidates: readonly PictureCandidate[]): Promise<string | undefined> {
    for (const { videoId, detectionId } of candidates) {
      const file = await findStoredCrop(this.#deps.dataDir, videoId, detectionId);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  async #findFrame([best]: readonly PictureCandidate[]): Promise<string | undefined> {
    const file = best && posterFile(this.#deps.dataDir, best.videoId);
    if (file === undefined) return undefined;
    return access(file).then(
      () => file,
      () => undefined,
    );
  }

  async #readPictures(pictures: readonly CardPicture[]): Promise<{ species: string; bytes: Buffer }[]> {
    const read = await Promise.all(
      pictures.map(async ({ species, file }) => {
        try {
          const bytes = await readFile(file);
          await sharp(bytes).metadata();
          return [{ species, bytes }];
        } catch (error) {
          if (errorCode(error) !== 'ENOENT')
            this.#deps.log.warn({ err: error }, 'picture of a day card not readable');
          return [];
        }
      }),
    );
    return read.flat();
  }
}

/** Maximum number of species for which pictures are searched. */
const maxSearchedSpecies = 8;

function cover(bytes: Buffer, { width, height }: Slot): Promise<Buffer> {
  return sharp(bytes)
    .rotate()
    .resize(width, height, { fit: 'cover' })
    .flatten()
    .png({ compressionLevel: 1 })
    .toBuffer();
}
