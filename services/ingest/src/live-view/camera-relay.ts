import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { HubError } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import { readBody, requestCamera, unavailable } from './camera-http.js';
import { JpegFrames } from './jpeg-frames.js';

/** Limits of a relay. */
export interface RelayLimits {
  readonly maxViewers: number;
  /** Maximum time without a picture of the camera. */
  readonly cameraTimeoutMs: number;
  /** Maximum time in which a viewer reads nothing. */
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

  /** Connects to the camera; resolves with its first picture. @throws HubError live_unavailable */
  start(guard: ServiceGuard, url: URL, isStill: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const onFrame = (frame: Buffer) => {
        this.#show(frame);
        resolve();
      };
      const work = isStill ? this.#poll(guard, url, onFrame) : this.#read(guard, url, onFrame);
      work.catch((error) => {
        reject(error instanceof HubError ? error : unavailable('It stopped sending.', error));
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

  async #read(guard: ServiceGuard, url: URL, onFrame: (frame: Buffer) => void): Promise<void> {
    const { signal } = this.#ended;
    const response = await requestCamera(guard, url, { accept: 'multipart/x-mixed-replace', signal });
    const type = response.headers['content-type'] ?? '';
    const [, quoted, plain] = /^multipart\/.*boundary=(?:"([^"]{1,100})"|([^\s;,]{1,100}))/i.exec(type) ?? [];
    const boundary = quoted ?? plain;
    if (boundary === undefined) {
      response.destroy();
      throw unavailable('Its address is not one of a stream of pictures (MJPEG).');
    }
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

  async #poll(guard: ServiceGuard, url: URL, onFrame: (frame: Buffer) => void): Promise<void> {
    const { signal } = this.#ended;
    for (;;) {
      const response = await requestCamera(guard, url, { accept: 'image/jpeg', signal });
      const frame = await readBody(response, maxFrameBytes);
      if (!/^image\/jpe?g/i.test(response.headers['content-type'] ?? '')) {
        throw unavailable('Its address is not one of a JPEG picture.');
      }
      onFrame(frame);
      await pause(this.#limits.pictureIntervalMs, undefined, { signal });
    }
  }
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
