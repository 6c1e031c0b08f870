import type { Worker } from 'node:worker_threads';
import { startThread } from '../start-thread.js';
import type { Report, SpeciesPictures } from './report-contents.js';

/** What a rendering is handed. */
export interface RenderOrder {
  readonly report: Report;
  readonly pictures: SpeciesPictures;
}

const entry = new URL('./render-worker.js', import.meta.url);
const resourceLimits = { maxOldGenerationSizeMb: 96 };
const longestMs = 30_000;

function answerOf(worker: Worker, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    worker.once('message', (bytes: Uint8Array) =>
      resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    );
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a rendering ended with code ${code} and no answer`)));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Renders on a thread of its own, which is gone afterwards with all its memory.
 * @throws what ended the thread, the reason of an abort, TimeoutError
 */
export async function renderInWorker(
  order: RenderOrder,
  signal: AbortSignal,
  file: URL = entry,
): Promise<Buffer> {
  signal.throwIfAborted();
  const worker = startThread(file, { workerData: order, resourceLimits });
  try {
    return await answerOf(worker, AbortSignal.any([signal, AbortSignal.timeout(longestMs)]));
  } finally {
    await worker.terminate();
  }
}
