import { parentPort, workerData } from 'node:worker_threads';
import { renderReport } from './drawing/render-report.js';
import type { RenderJob } from './render-in-worker.js';

/** The thread of one rendering: draws the report and posts its bytes. */
const { report, pictures }: RenderJob = workerData;
const bytes = new Uint8Array(await renderReport(report, pictures));
parentPort?.postMessage(bytes, [bytes.buffer]);
