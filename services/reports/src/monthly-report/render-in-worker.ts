import type { Worker } from 'node:worker_threads';
import { startThread } from '@birdhub/shared/threads';
import type { Report, SpeciesPictures } from './report.js';

/** The input of a rendering thread. */
export interface RenderJob {
  readonly report: Report;
  readonly pictures: SpeciesPictures;
}

const entry = new URL('./render-worker.js', import.meta.url);
const resourceLimits = { maxOldGenerationSizeMb: 96 };
const renderTimeoutMs = 30_000;

/**
 * Renders in a worker thread, which ends afterwards and frees all its memory.
 * @throws the error of the thread, the reason of an abort, TimeoutError
 */
export async function renderInWorker(
  job: RenderJob,
  signal: AbortSignal,
  file: URL = entry,
): Promise<Buffer> {
  signal.throwIfAborted();
  const worker = startThread(file, { workerData: job, resourceLimits });
  try {
    return await resultOf(worker, AbortSignal.any([signal, AbortSignal.timeout(renderTimeoutMs)]));
  } finally {
    await worker.terminate();
  }
}

function resultOf(worker: Worker, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    worker.once('message', (bytes: Uint8Array) =>
      resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    );
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new Error(`the rendering thread exited with code ${code} and without a result`)),
    );
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
