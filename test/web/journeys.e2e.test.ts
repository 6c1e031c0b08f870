import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TimelineItem, VideoAnswer } from '../e2e/fixtures/hub-answers.js';
import { screens } from '../support/browser.js';
import { changeSettings, readHub, unlockAs, yesterday } from './support/hub-api.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';

const open = useFilledHub();
const password = 'blackbird';
/** A recording of yesterday with a single bird that was seen. */
async function findRecording(): Promise<VideoAnswer> {
  const visits = await readHub<TimelineItem[]>(open.hub, `/timeline?date=${yesterday()}&source=video`);
  for (const { detections } of visits) {
    const video = await readHub<VideoAnswer>(open.hub, `/videos/${detections[0]?.video_id}`);
    if (video.species.length === 1) return video;
  }
  throw new Error('no recording has a single bird');
}

async function unlock(page: Page, admin: string): Promise<void> {
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(admin);
  await page.getByRole('button', { name: 'Unlock and continue' }).click();
}

/** Says on the page of a recording that what was taken for one species is another. */
async function correctTo(wanted: string, wrong: string, page: Page): Promise<void> {
  const choice = page.getByRole('combobox', { name: 'Change species' });
  const detection = page.getByRole('button', { name: new RegExp(`${wrong}.*%`) }).first();
  await detection.waitFor();
  if (!(await choice.isVisible())) await detection.click();
  await choice.fill(wanted);
  await page.getByRole('option', { name: new RegExp(wanted) }).click();
}

describe.skipIf(isWithoutBrowser)('somebody who uses the hub', () => {
  test('reviews five doubtful detections by keyboard, and they are reviewed', async () => {
    const path = '/corrections/recent?limit=100';
    const countReviewed = async () => (await readHub<unknown[]>(open.hub, path)).length;
    const before = await countReviewed();
    const { page } = await open.openAt('/timeline?review=1');
    await page.getByRole('button', { name: /^(Yes|Leave|Keep)/ }).waitFor();
    for (let done = 0; done < 5; done += 1) {
      await page.getByText(new RegExp(`^${done} of \\d+ reviewed`)).waitFor();
      await page.keyboard.press('a');
    }
    await expect.poll(countReviewed).toBe(before + 5);
  });

  test('corrects a wrong species while the hub is locked, is asked for the password and led back', async () => {
    const { id, species } = await findRecording();
    await changeSettings(open.hub, { general: { settings_password: password } });
    try {
      const { page } = await open.openAt(`/videos/${id}`, { viewport: screens.phone });
      await correctTo('Common Kingfisher', species[0]?.species_name ?? '', page);
      await unlock(page, password);
      await page.getByText(/Changed .* to Common Kingfisher/).waitFor();
      const { species: corrected } = await readHub<VideoAnswer>(open.hub, `/videos/${id}`);
      expect(corrected.map(({ species_name }) => species_name)).toEqual(['Common Kingfisher']);
    } finally {
      await changeSettings(
        open.hub,
        { general: { settings_password: '' } },
        await unlockAs(open.hub, password),
      );
    }
  });

  test('loses the session in between, unlocks again and what was done goes on', async () => {
    const { page } = await open.openAt('/system');
    let refusals = 1;
    await page.route('**/api/ui/storage/purge', (route) =>
      refusals-- > 0
        ? route.fulfill({ status: 401, json: { error: 'no', code: 'invalid_token', request_id: 'x' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await unlock(page, 'anything');
    await page.getByRole('dialog', { name: /Delete videos up to/ }).waitFor();
  });

  test('looks at what a purge would clear, and nothing is cleared', async () => {
    // The files of the demo are still being looked at, so their number may grow.
    const countFiles = async () => {
      const days = await readHub<{ fileCount: number }[]>(open.hub, '/storage/stats');
      return days.reduce((sum, { fileCount }) => sum + fileCount, 0);
    };
    const stored = await countFiles();
    const { page } = await open.openAt('/system');
    await page.getByLabel('Delete videos up to').fill(yesterday());
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /Delete videos up to/ });
    await dialog.getByText(/Deletes the videos? of/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await countFiles()).toBeGreaterThanOrEqual(stored);
  });

  test('gives a portion of food, and the feeder is told', async () => {
    const calls: string[] = [];
    const feeder = createServer((request, response) => {
      calls.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    await new Promise<void>((resolve) => feeder.listen(0, '127.0.0.1', resolve));
    const { port } = feeder.address() as AddressInfo;
    const esphome = { source: 'esphome', esphome_url: `http://127.0.0.1:${port}`, duration_seconds: 0.1 };
    await changeSettings(open.hub, { feed: esphome });
    const { page } = await open.openAt('/');
    await page.getByRole('button', { name: 'Dispense food' }).click();
    await page.getByText('Food dispensed.').waitFor({ state: 'attached' });
    expect(calls.filter((call) => call.startsWith('POST')).length).toBeGreaterThan(0);
    await changeSettings(open.hub, { feed: { source: 'none' } });
    feeder.close();
  });

  test('switches messages on, and the hub is told where to send them', async () => {
    const { page } = await open.openAt('/settings', { hasServiceWorker: true });
    await page.context().grantPermissions(['notifications']);
    // No message service can be reached from here.
    await page.addInitScript(`
      const keys = { p256dh: 'BPublicKeyOfThisDevice', auth: 'secret' };
      const endpoint = 'https://push.example/device';
      let made = null;
      PushManager.prototype.getSubscription = async () => made;
      PushManager.prototype.subscribe = async (options) => {
        made = { endpoint, options, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => true };
        return made;
      };`);
    const told: unknown[] = [];
    await page.route('**/api/ui/push/subscribe', async (route) => {
      told.push(route.request().postDataJSON());
      await route.fulfill({ status: 201, json: { message: 'ok' } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Notifications are on for this device.').waitFor();
    const keys = { p256dh: 'BPublicKeyOfThisDevice', auth: 'secret' };
    expect(told[0]).toEqual({ subscription: { endpoint: 'https://push.example/device', keys } });
  });

  test('downloads the report of the newest month on a phone, at the first button', async () => {
    const { page } = await open.openAt('/reports', { viewport: screens.phone });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /download.*pdf|pdf.*download/i })
        .or(page.getByRole('link', { name: /report|pdf/i }))
        .first()
        .click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^bird_report_\d{6}\.pdf$/);
  });

  test('whose hub is broken for a while, is told so and goes on when it is back', async () => {
    const broken = { error: 'away', code: 'upstream_unavailable', request_id: 'x' };
    const { page } = await open.openAt('/species', {
      prepare: (fresh) =>
        fresh.route('**/api/ui/species/observed*', (route) => route.fulfill({ status: 502, json: broken })),
    });
    await page.getByRole('alert').getByText('Part of the hub is not responding').waitFor();
    await page.unroute('**/api/ui/species/observed*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .getByRole('link', { name: /Great Tit|House Sparrow/ })
      .first()
      .waitFor();
  });
});
