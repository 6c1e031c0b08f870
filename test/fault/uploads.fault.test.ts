import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '@birdhub/launcher/processes';
import { describe, expect, it, vi } from 'vitest';
import { untilAnswered, useTrial } from './fixtures/trial.js';

const trial = useTrial();
const size = 2_000_000;
const uploadsAtOnce = 10;

/** Uploads files one after the other, each repeated until it is acknowledged. */
class SteadyUploads {
  readonly acknowledged = new Map<string, Buffer>();
  readonly refusals: number[] = [];
  #isStopped = false;
  readonly #running: Promise<void>[];

  constructor(name: string) {
    this.#running = Array.from({ length: uploadsAtOnce }, (_, lane) => this.#run(`uploads/${name}/${lane}`));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #run(folder: string): Promise<void> {
    for (let index = 0; !this.#isStopped; index += 1) {
      const path = `${folder}/${index}/video.mp4`;
      const video = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom', 'latin1'), randomBytes(size)]);
      while (!(await this.#send(path, video))) await new Promise((resolve) => setTimeout(resolve, 100));
      this.acknowledged.set(path, video);
    }
  }

  async #send(path: string, body: Buffer): Promise<boolean> {
    const url = `${trial.hub().baseUrl}/api/processor/media/${path}`;
    const answer = await fetch(url, { method: 'PUT', body }).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer && answer.status >= 400 && answer.status < 500) this.refusals.push(answer.status);
    return answer?.status === 201 || answer?.status === 200;
  }
}

const hiddenFiles = () =>
  readdirSync(join(trial.hub().recordingsDir, 'uploads'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?:^|\/)\.[^/]*$/.test(name),
  );

describe('files that are uploaded beside posts', () => {
  it.each(['ingest', 'gateway'])(
    'kill -9 of %s, loses no acknowledged file and leaves no part',
    async (name) => {
      const uploads = new SteadyUploads(name);
      let killed: ProcessIdentity;
      await vi.waitUntil(() => uploads.acknowledged.size > uploadsAtOnce, { timeout: 45_000, interval: 5 });
      await trial.during({
        name: `SIGKILL to ${name} while files are uploaded`,
        async strike(posting) {
          killed = trial.hub().kill(name, 'SIGKILL');
          await untilAnswered(posting, name === 'ingest' ? 502 : 0);
        },
        async mend() {
          await trial.hub().whenBack(name, killed);
          await uploads.stop();
          for (const [path, video] of uploads.acknowledged) {
            const file = join(trial.hub().recordingsDir, path);
            expect([path, existsSync(file) && readFileSync(file).equals(video)]).toEqual([path, true]);
          }
          await vi.waitUntil(() => hiddenFiles().length === 0, { timeout: 45_000 });
          // The proof knows the files of recordings that were posted.
          rmSync(join(trial.hub().recordingsDir, 'uploads'), { recursive: true });
        },
      });
      // What a broken connection had left may be looked for as if it were still under way.
      expect(uploads.refusals.filter((status) => status !== 409 && status !== 408)).toEqual([]);
    },
  );
});
