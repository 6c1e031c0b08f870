import { Worker, type WorkerOptions } from 'node:worker_threads';

const isBuilt = import.meta.url.endsWith('.js');

/** Starts a worker thread; with a loader for TypeScript when the service itself runs from source. */
export function startThread(module: URL, options: WorkerOptions): Worker {
  if (isBuilt) return new Worker(module, options);
  return new Worker(new URL('./source-thread.mjs', import.meta.url), { ...options, argv: [module.href] });
}
