import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { HubError } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import { readBody, requestCamera, unavailable } from './camera-http.js';
import { FrameTooLargeError, JpegFrames } from './jpeg-frames.js';

/** Limits of a relay. */
export interface RelayLimits {
  readonly maxViewers: number;
  /** Maximum time without a picture of the camera. */
  readonly cameraTimeoutMs: number;
  /** Maximum time without a read by a viewer. */
  readonly viewerTimeoutMs: number;
  /** Interval of requests of still pictures. */
  readonly pictureIntervalMs: number;
}

const maxFrameBytes = 8 * 1024 * 1024;
/** The multipart boundary for viewers. */
export const frameBoundary = 'birdhub-frame';

/** One connection to a camera, shared by all viewers; it is closed with the last of them. */
export class CameraRelay {
  readonly #viewers = new Set<FrameStream>();
  readonly #ended = new AbortController();
  readonly #limits: RelayLimits;
  #latest: Buffer | undefined;

  constructor(limits: RelayLimits) {
    this.#limits = limits;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Whether it accepts viewers. */
  get isOpen(): boolean {
    return !this.#ended.signal.aborted;
  }

  /** Connects to the camera; resolves with its first picture. @throws HubError live_unavailable, live_not_playable */
  start(guard: ServiceGuard, url: URL): Promise<void> {
    return new Promise((resolve, reject) => {
      const onFrame = (frame: Buffer) => {
        this.#show(frame);
        resolve();
      };
      this.#receive(guard, url, onFrame).catch((error) => {
        reject(toUnavailable(error));
        this.end();
      });
    });
  }

  /** Returns a stream of pictures for one viewer. @throws HubError busy when there are too many */
  view(): Readable {
    if (this.#viewers.size >= this.#limits.maxViewers) throw new HubError('busy', { retryAfterSeconds: 10 });
    const stream = new FrameStream(this.#limits.viewerTimeoutMs);
    this.#viewers.add(stream);
    if (this.#latest) stream.offer(this.#latest);
    stream.once('close', () => {
      this.#viewers.delete(stream);
      if (!this.#viewers.size) this.end();
    });
    return stream;
  }

  /** Ends the connection and all viewers. */
  end(): void {
    this.#ended.abort(new Error('the relay has ended'));
    for (const viewer of this.#viewers) viewer.destroy();
  }

  #show(frame: Buffer): void {
    this.#latest = frame;
    for (const viewer of this.#viewers) viewer.offer(frame);
  }

  async #receive(guard: ServiceGuard, url: URL, onFrame: OnFrame): Promise<void> {
    const request = { accept: 'multipart/x-mixed-replace, image/jpeg', signal: this.#ended.signal };
    const send = async () => (await requestCamera(guard, url, request)).message;
    const first = await send();
    const boundary = boundaryOf(first);
    if (boundary === undefined) await this.#poll(first, send, onFrame);
    else await this.#read(first, boundary, onFrame);
  }

  async #read(response: IncomingMessage, boundary: string, onFrame: OnFrame): Promise<void> {
    const frames = new JpegFrames(boundary, maxFrameBytes);
    const timer = setTimeout(() => response.destroy(new Error('silent')), this.#limits.cameraTimeoutMs);
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        for (const frame of frames.push(chunk)) {
          timer.refresh();
          onFrame(frame);
        }
      }
    } finally {
      clearTimeout(timer);
      response.destroy();
    }
    throw unavailable('It stopped sending.');
  }

  async #poll(first: IncomingMessage, send: () => Promise<IncomingMessage>, onFrame: OnFrame): Promise<void> {
    const { signal } = this.#ended;
    const { cameraTimeoutMs, pictureIntervalMs } = this.#limits;
    onFrame(await readPicture(first));
    for (let shownAt = performance.now(); ; ) {
      await pause(pictureIntervalMs, undefined, { signal });
      try {
        onFrame(await readPicture(await send()));
        shownAt = performance.now();
      } catch (error) {
        signal.throwIfAborted();
        // Single pictures of a camera fail now and then.
        if (performance.now() - shownAt > cameraTimeoutMs) throw error;
      }
    }
  }
}

type OnFrame = (frame: Buffer) => void;

/** Returns the boundary of a stream of pictures; undefined for another response. */
function boundaryOf({ headers }: IncomingMessage): string | undefined {
  const pattern = /^multipart\/.*boundary=(?:"([^"]{1,100})"|([^\s;,]{1,100}))/i;
  const [, quoted, plain] = pattern.exec(headers['content-type'] ?? '') ?? [];
  return quoted ?? plain;
}

/** Reads a single picture. @throws HubError live_not_playable when it is not a JPEG; live_unavailable */
async function readPicture(response: IncomingMessage): Promise<Buffer> {
  if (/^image\/jpe?g/i.test(response.headers['content-type'] ?? '')) return readBody(response, maxFrameBytes);
  response.destroy();
  throw new HubError('live_not_playable');
}

function toUnavailable(error: unknown): HubError {
  if (error instanceof HubError) return error;
  if (error instanceof FrameTooLargeError) return unavailable('Its response is too large.', error);
  return unavailable('It stopped sending.', error);
}

/** The stream of pictures for one viewer: slow viewers get fewer pictures, stalled ones are disconnected. */
class FrameStream extends Readable {
  readonly #timeoutMs: number;
  #next: Buffer | undefined;
  #isAwaited = false;
  #takenAt = performance.now();

  constructor(timeoutMs: number) {
    super({ highWaterMark: 1 });
    this.#timeoutMs = timeoutMs;
  }

  offer(frame: Buffer): void {
    if (this.destroyed) return;
    if (this.#isAwaited) this.#send(frame);
    else if (performance.now() - this.#takenAt > this.#timeoutMs) this.destroy();
    else this.#next = frame;
  }

  override _read(): void {
    this.#takenAt = performance.now();
    this.#isAwaited = true;
    if (this.#next) this.#send(this.#next);
  }

  #send(frame: Buffer): void {
    this.#next = undefined;
    this.#isAwaited = false;
    const head = `--${frameBoundary}\r\ncontent-type: image/jpeg\r\ncontent-length: ${frame.length}\r\n\r\n`;
    this.push(Buffer.concat([Buffer.from(head), frame, Buffer.from('\r\n')]));
  }
}
