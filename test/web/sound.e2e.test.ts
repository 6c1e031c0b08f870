import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readJson } from '../e2e/fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { findViolations } from './support/check-accessibility.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';

const open = useFilledHub();
const path = '2026/05/01/dawn.wav';
const seconds = 12;

describe.skipIf(isWithoutBrowser)('an audio recording', () => {
  const folder = useDataFolder();
  let hub: TestHub;
  let id: number;

  beforeAll(async () => {
    hub = await startHubIn(folder, inOneProcess);
    const file = join(hub.recordingsDir, path);
    mkdirSync(dirname(file), { recursive: true });
    const tone = `sine=f=3000:d=${seconds}`;
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', tone, file]);
    const body = JSON.stringify({
      processor_version: 'test',
      video_path: path,
      start_time: '2026-05-01T05:00:00Z',
      end_time: `2026-05-01T05:00:${seconds}Z`,
      species: [{ species_name: 'Great Tit', confidence: 0.9, start_time: 2, end_time: 5 }],
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${hub.baseUrl}/api/processor/videos`, { method: 'POST', headers, body });
    id = ((await response.json()) as { video_id: number }).video_id;
    await vi.waitFor(
      async () => {
        const video = await readJson<{ media: string }>(`${hub.baseUrl}/api/ui/videos/${id}`);
        expect(video.media).toBe('ready');
        // A page opened earlier would report the 503 of a poster that is still being made.
        expect((await fetch(`${hub.baseUrl}/api/ui/videos/${id}/poster`)).status).toBe(200);
      },
      { interval: 200 },
    );
  });

  const slider = (page: Page) => page.getByRole('slider', { name: 'Position in the audio' });
  const positionOf = async (page: Page) => Number(await slider(page).inputValue());

  test('on its page, has a player that a click and keys move over the spectrogram', async () => {
    const { page, pageErrors } = await open.openAt(`/videos/${id}`, { on: hub });
    const picture = page.getByRole('img', { name: /^Spectrogram: time in seconds/ });
    await picture.waitFor();
    expect(await picture.getAttribute('src')).toMatch(/\/poster$/);
    await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toMatch(/0:12$/);
    const { width = 0, height = 0 } = (await slider(page).boundingBox()) ?? {};
    await slider(page).click({ position: { x: width / 2, y: height / 2 } });
    await expect.poll(() => positionOf(page)).toBeCloseTo(seconds / 2, 0);
    await page.keyboard.press('Home');
    await expect.poll(() => positionOf(page)).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => positionOf(page)).toBeCloseTo(2, 1);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => positionOf(page)).toBeCloseTo(1, 1);
    await page.keyboard.press('End');
    await expect.poll(() => positionOf(page)).toBeCloseTo(seconds, 0);
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await expect.poll(() => positionOf(page)).toBeGreaterThan(0.2);
    await page.getByRole('switch', { name: 'Cut below 500 Hz' }).click({ force: true });
    const before = await positionOf(page);
    await expect.poll(() => positionOf(page)).toBeGreaterThan(before);
    await slider(page).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Speed/ }).click();
    const speeds = page.getByRole('menuitem');
    await expect.poll(() => speeds.allTextContents()).toEqual(['0.5×', '1×', '2×']);
    await page.getByRole('menuitem', { name: '2×' }).click();
    await page.getByRole('button', { name: 'Speed: 2×' }).waitFor();
    expect(pageErrors).toEqual([]);
  });

  test.each([
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ])('at $width pixels, fits and has no accessibility problems', async (viewport) => {
    const { page } = await open.openAt(`/videos/${id}`, { on: hub, viewport });
    await page.getByRole('img', { name: /^Spectrogram: time in seconds/ }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    const isWider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(isWider)).toBe(false);
  });

  test('in the timeline, is shown by its sound and found by its kind', async () => {
    const { page } = await open.openAt('/timeline?date=2026-05-01&media_kind=audio', { on: hub });
    const card = page.locator('[data-visit]').first();
    await card.getByRole('img', { name: 'Heard only' }).waitFor();
    const none = await open.openAt('/timeline?date=2026-05-01&media_kind=video', { on: hub });
    await none.page.getByText('No visits match these filters').waitFor();
  });
});
