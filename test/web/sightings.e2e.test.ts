import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { screens } from '../support/browser.js';
import { findViolations } from './support/check-accessibility.js';
import { readHub } from './support/hub-api.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';
import { settle } from './support/pages.js';

const open = useFilledHub();

interface StoredSighting {
  readonly media_kind: string | null;
  readonly note: string | null;
  readonly species: readonly { readonly species_name: string }[];
}

describe.skipIf(isWithoutBrowser)('a sighting added on a page', () => {
  const folder = useDataFolder();
  const pictures = mkdtempSync(join(tmpdir(), 'birdhub-photo-'));
  const photo = join(pictures, 'photo.png');
  let hub: TestHub;

  beforeAll(async () => {
    hub = await startHubIn(folder, inOneProcess);
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=s=3200x1800',
      '-frames:v',
      '1',
      photo,
    ]);
  });
  afterAll(() => rmSync(pictures, { recursive: true }));

  const openForm = async (page: Page) => {
    await page.getByRole('button', { name: 'Add sighting' }).locator('visible=true').click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Species' }).fill('great tit');
    // The list of a field is outside its form.
    await page
      .getByRole('option', { name: /Great Tit/ })
      .first()
      .click();
    return form;
  };
  const barriersOf = async (page: Page, width: number) => {
    await settle(page);
    const shown = Number(await page.evaluate('document.documentElement.scrollWidth'));
    return [...(await findViolations(page)), ...(shown > width ? [`is ${shown} pixels wide`] : [])];
  };
  const idOf = (page: Page) => Number(/videos\/(\d+)/.exec(page.url())?.[1]);

  test.each(['phone', 'desktop'] as const)(
    'on a %s without a photo, is in the list at once, has a page without a player, and can be deleted',
    async (screen) => {
      const viewport = screens[screen];
      const { page, pageErrors } = await open.openAt('/', { on: hub, viewport });
      const form = await openForm(page);
      await form.getByRole('button', { name: 'One bird more' }).click();
      await form.getByLabel('Note').fill(`Two on the ${screen}`);
      const barriers = await barriersOf(page, viewport.width);
      await form.getByRole('button', { name: 'Add sighting' }).click();
      await form.waitFor({ state: 'detached' });
      await page.getByRole('listitem').filter({ hasText: 'seen by a person' }).first().waitFor();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText('No recording: seen by a person').waitFor();
      await page.getByText(`Two on the ${screen}`).waitFor();
      expect(await page.locator('video, audio').count()).toBe(0);
      barriers.push(...(await barriersOf(page, viewport.width)));
      const id = idOf(page);
      const stored = await readHub<StoredSighting>(hub, `/videos/${id}`);
      expect([stored.media_kind, stored.species.length]).toEqual([null, 2]);
      await page.getByRole('button', { name: 'Delete sighting' }).waitFor();
      expect([barriers, pageErrors]).toEqual([[], []]);
    },
  );

  test('with a photo, is sent smaller, shown, and enlarged by a tap until Escape', async () => {
    const { page, pageErrors } = await open.openAt('/timeline', { on: hub });
    const form = await openForm(page);
    await form.locator('input[type=file]').last().setInputFiles(photo);
    await form.getByRole('img', { name: 'Your photo' }).waitFor();
    const barriers = await barriersOf(page, screens.desktop.width);
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/ui/sightings'));
    await form.getByRole('button', { name: 'Add sighting' }).click();
    // As base64, with the fields beside it. Chromium does not report a body of this size.
    const { 'content-length': length } = await (await sent).allHeaders();
    expect(Number(length)).toBeGreaterThan(10_000);
    expect(Number(length)).toBeLessThan(4_100_000);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByRole('button', { name: /^Enlarge picture/ }).click();
    const large = page.getByRole('dialog');
    await large.getByRole('img').first().waitFor();
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'detached' });
    barriers.push(...(await barriersOf(page, screens.desktop.width)));
    expect((await readHub<StoredSighting>(hub, `/videos/${idOf(page)}`)).media_kind).toBe('image');
    expect([barriers, pageErrors]).toEqual([[], []]);
  });

  test('when undone, is deleted', async () => {
    const { page } = await open.openAt('/', { on: hub });
    const form = await openForm(page);
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/ui/sightings'));
    await form.getByRole('button', { name: 'Add sighting' }).click();
    const { video_id: id } = (await (await answer).json()) as { video_id: number };
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await fetch(`${hub.baseUrl}/api/ui/videos/${id}`)).status)
      .toBeGreaterThanOrEqual(404);
  });

  test('on Escape, closes first the list of species and then the form', async () => {
    const { page } = await open.openAt('/', { on: hub });
    await page.getByRole('button', { name: 'Add sighting' }).locator('visible=true').click();
    const form = page.getByRole('dialog');
    await form.getByRole('combobox', { name: 'Species' }).fill('tit');
    await page.keyboard.press('Escape');
    await form.getByRole('listbox').waitFor({ state: 'hidden' });
    expect(await form.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  test.each(['phone', 'desktop'] as const)('a webhook, on a %s, is made from an example', async (screen) => {
    const name = `hook-${screen}`;
    const { page, pageErrors } = await open.openAt('/settings#webhooks', {
      on: hub,
      viewport: screens[screen],
    });
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    const example = { bird: { common_name: 'Great Tit', score: 0.93 } };
    await dialog.getByLabel('Paste an example').fill(JSON.stringify(example));
    await dialog.getByText('93%').waitFor();
    const barriers = await barriersOf(page, screens[screen].width);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('listitem').filter({ hasText: name }).waitFor();
    barriers.push(...(await barriersOf(page, screens[screen].width)));
    expect([barriers, pageErrors]).toEqual([[], []]);
  });
});
