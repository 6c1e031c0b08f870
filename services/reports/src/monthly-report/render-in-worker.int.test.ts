import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReport } from '../testing/a-report.js';
import { renderInWorker } from './render-in-worker.js';

const job = { report: aReport(), pictures: new Map() };

describe('renderInWorker', () => {
  let folder: string;
  const never = new AbortController().signal;
  const render = async (program: string, signal = never) => {
    const file = join(folder, 'worker.mjs');
    await writeFile(file, program);
    return renderInWorker(job, signal, pathToFileURL(file));
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'birdhub-render-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('a report, is rendered without blocking this thread', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const bytes = await renderInWorker(job, never);
    clearInterval(timer);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(turns).toBeGreaterThan(10);
  });

  it.each([
    ['throws', 'throw new Error("no ink")', 'no ink'],
    ['ends', 'process.exit(3)', 'the rendering thread exited with code 3 and without a result'],
    ['fills its memory', 'const all = []; for (;;) all.push(new Array(1e5).fill({}))', 'memory'],
  ])('a worker that %s, fails this rendering only', async (_, program, message) => {
    await expect(render(program)).rejects.toThrow(message);
    expect((await renderInWorker(job, never)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('a worker that does not end, is stopped when its callers leave', async () => {
    const controller = new AbortController();
    const rendering = render('setInterval(() => {}, 1_000)', controller.signal);
    setTimeout(() => controller.abort(new Error('gone')), 100);
    await expect(rendering).rejects.toThrow('gone');
  });
});
