import { parentPort, workerData } from 'node:worker_threads';
import { renderReport } from './drawing/render-report.js';
import type { RenderOrder } from './render-in-worker.js';

/** The thread of one rendering: draws what it was handed, answers the bytes and ends. */
const { report, pictures }: RenderOrder = workerData;
const bytes = new Uint8Array(await renderReport(report, pictures));
parentPort?.postMessage(bytes, [bytes.buffer]);
