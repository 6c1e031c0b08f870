import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { importBirdLense } from '@birdhub/cli/commands/import-birdlense';
import { anOldDetection, anOldVideo, buildOldHub, firstLayout } from '@birdhub/cli/testing/old-hub';
import { findTool } from '@birdhub/launcher/find-tool';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { readOptions } from '@birdhub/launcher/options';
import type { TestHub } from '@birdhub/testing/hub';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readExamples, readProgram, shapeOf } from '../../scripts/documents/guide-blocks.js';
import { readJson, type TimelineItem } from './fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from './fixtures/temporary-hub.js';

const run = promisify(execFile);
const separator = '\u001e';
const folder = useDataFolder();
let hub: TestHub;
beforeAll(async () => {
  hub = await startHubIn(folder, inOneProcess);
});

const isInstalled = (tool: string) => {
  try {
    return findTool(tool, process.env['PATH']) !== '';
  } catch (error) {
    if (error instanceof LauncherError) return false;
    throw error;
  }
};

/** Returns the visits of a camera around today, as the test may run at midnight. */
async function readVisits(camera: string): Promise<TimelineItem[]> {
  const now = Date.now() / 1000;
  return readJson(
    `${hub.baseUrl}/api/ui/timeline?start_time=${now - 86_400}&end_time=${now + 86_400}&camera_id=${camera}`,
  );
}

/** Removes the password that the API guide sets: each page begins with an open hub. */
async function clearPassword(): Promise<void> {
  const send = (path: string, method: string, body: object, headers = {}) =>
    fetch(`${hub.baseUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const unlocked = await send('/api/ui/settings/verify-password', 'POST', { password: 'a long one' });
  const cookie = unlocked.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  if (unlocked.ok)
    await send('/api/ui/settings', 'PATCH', { general: { settings_password: null } }, { cookie });
}

describe.each(['api-guide.md', 'processor-guide.md'])('docs/%s', (page) => {
  const examples = readExamples(page);
  let responses: string[];

  beforeAll(async () => {
    await clearPassword();
    const work = join(folder.path, page);
    mkdirSync(work);
    // The processor guide uploads it: it begins as an MP4 file does.
    writeFileSync(
      join(work, 'video.mp4'),
      Buffer.from('\0\0\0\x20ftypisom'.padEnd(2_000_000, 'a'), 'latin1'),
    );
    const script = examples.map(({ commands }) => `${commands}printf '${separator}'\n`).join('');
    const env = { ...process.env, HUB: hub.baseUrl };
    const { stdout } = await run('bash', ['-euc', script], { cwd: work, env });
    responses = stdout.split(separator);
  });

  it.each(examples.map((example, at) => [example.commands.split('\n').at(-2), at, example] as const))(
    '%s, answers as on the page',
    (_, at, { response }) => {
      const given = responses[at] ?? '';
      if (response.language === 'text') expect(given.replaceAll('\r', '').trim()).toBe(response.text.trim());
      else expect(shapeOf(JSON.parse(given))).toEqual(shapeOf(JSON.parse(response.text)));
    },
  );
});

describe('docs/processor-guide.md', () => {
  /** Runs the program of a language; returns its output and the birds of its visits. */
  async function runProgram(language: string, fileName: string, tool: string, ...args: string[]) {
    const file = join(folder.path, fileName);
    writeFileSync(file, readProgram('processor-guide.md', language));
    const { stdout } = await run(tool, [...args, file], { env: { ...process.env, HUB: hub.baseUrl } });
    const visits = await readVisits(language);
    return { stdout, birds: visits.map(({ species }) => species.name) };
  }

  const readProcessor = async () =>
    (await readJson<{ processor: string }>(`${hub.baseUrl}/api/ui/status`)).processor;

  it.skipIf(!isInstalled('python3'))(
    'the program in Python, when run, posts a recording that becomes a visit',
    async () => {
      const { stdout, birds } = await runProgram('python', 'processor.py', 'python3');
      expect(stdout).toContain("'created': True");
      expect([birds, await readProcessor()]).toEqual([['Great Tit'], 'ok']);
    },
  );

  it('the program in TypeScript, when run, posts a recording that becomes a visit', async () => {
    const tsx = import.meta.resolve('tsx');
    const { stdout, birds } = await runProgram('ts', 'processor.mts', process.execPath, '--import', tsx);
    expect(stdout).toContain('created: true');
    expect([birds, await readProcessor()]).toEqual([['European Robin'], 'ok']);
  });
});

describe('docs/operations.md', () => {
  it('an import while the hub runs, is visible at once with its video', async () => {
    const old = join(folder.path, 'old');
    const film = join(old, 'recordings/2025/05/01/1/video.mp4');
    mkdirSync(dirname(film), { recursive: true });
    writeFileSync(film, 'not a real one');
    const file = join(old, 'birdlense.db');
    const rows = [
      ['species', { id: 1, name: 'Great Tit' }] as const,
      anOldVideo(1, 0),
      anOldDetection(1, 1, 1),
    ];
    buildOldHub(file, firstLayout, rows);
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const options = readOptions({ DATA_DIR: join(folder.path, 'data') }, '/');
    expect(await importBirdLense(options, [file, join(old, 'recordings')])).toBe(0);
    expect(log.mock.calls.flat().join('\n')).toMatch(/^Imported:\n +1 {2}recordings\n/);
    log.mockRestore();
    const [item] = await vi.waitUntil(async () => {
      const items = await readJson<TimelineItem[]>(`${hub.baseUrl}/api/ui/timeline?date=2025-05-01`);
      return items.length === 1 && items;
    });
    const [detection] = item?.detections ?? [];
    const response = await fetch(`${hub.baseUrl}/api/ui/videos/${detection?.video_id}/stream`);
    expect(await response.text()).toBe('not a real one');
  });
});
