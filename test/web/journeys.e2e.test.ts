import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { TimelineItem, VideoResponse } from '../e2e/fixtures/hub-responses.js';
import { openPage, screens } from '../support/browser.js';
import { changeSettings, readHub, unlockAs, yesterday } from './support/hub-api.js';
import { isWithoutBrowser, type PageOptions, useFilledHub } from './support/open-hub.js';

const open = useFilledHub();
const password = 'blackbird';
/** Returns a recording of yesterday with a single bird, which was seen. */
async function findRecording(): Promise<VideoResponse> {
  const visits = await readHub<TimelineItem[]>(open.hub, `/timeline?date=${yesterday()}&source=video`);
  for (const { detections } of visits) {
    const video = await readHub<VideoResponse>(open.hub, `/videos/${detections[0]?.video_id}`);
    if (video.species.length === 1) return video;
  }
  throw new Error('no recording has a single bird');
}

async function unlock(page: Page, admin: string): Promise<void> {
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(admin);
  await page.getByRole('button', { name: 'Unlock and continue' }).click();
}

/** A person on a phone; counts every tap, also those into fields. */
class PhoneUser {
  readonly page: Page;
  taps = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async tap(target: Locator): Promise<void> {
    this.taps += 1;
    await target.click();
  }

  /** Types into a field, with a tap first unless it has the focus. */
  async type(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    const isFocused = await field.evaluate((element) => element.ownerDocument.activeElement === element);
    if (!isFocused) await this.tap(field);
    await field.fill(text);
  }

  button = (name: string | RegExp) => this.page.getByRole('button', { name }).first();
  link = (name: string | RegExp) => this.page.getByRole('link', { name }).first();
  /** Opens a tab of the bar, or a page behind More. */
  async goTo(page: string): Promise<void> {
    const tab = this.page
      .getByRole('navigation', { name: 'Main navigation' })
      .last()
      .getByRole('link', { name: page });
    if (!(await tab.isVisible())) await this.tap(this.button('More'));
    await this.tap(tab);
    await this.page.getByRole('heading', { level: 1, name: page }).waitFor();
  }
}

/** Changes a species on the page of a recording. */
async function correctTo(wanted: string, wrong: string, user: PhoneUser): Promise<void> {
  await user.tap(user.button(`Change species: ${wrong}`));
  await user.type(user.page.getByRole('combobox', { name: 'Change species' }), wanted);
  await user.tap(user.page.getByRole('option', { name: new RegExp(wanted) }).first());
}

const maxTaps = 4;

describe.skipIf(isWithoutBrowser)('a user of the hub', () => {
  test('reviewing five doubtful detections by keyboard, has them stored', async () => {
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

  test('correcting a species on a locked hub, enters the password and continues', async () => {
    const { id, species } = await findRecording();
    await changeSettings(open.hub, { general: { settings_password: password } });
    try {
      const { page } = await open.openAt(`/videos/${id}`, { viewport: screens.phone });
      await correctTo('Common Kingfisher', species[0]?.species_name ?? '', new PhoneUser(page));
      await unlock(page, password);
      await page.getByText(/Changed .* to Common Kingfisher/).waitFor();
      const { species: corrected } = await readHub<VideoResponse>(open.hub, `/videos/${id}`);
      expect(corrected.map(({ species_name }) => species_name)).toEqual(['Common Kingfisher']);
    } finally {
      await changeSettings(
        open.hub,
        { general: { settings_password: '' } },
        await unlockAs(open.hub, password),
      );
    }
  });

  test('losing the session meanwhile, unlocks again and continues', async () => {
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

  test('previewing a purge, deletes nothing', async () => {
    // The hub is still scanning the files of the demo, so their number may grow.
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

  test('dispensing food, triggers the feeder', async () => {
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

  test('with a hub broken for a while, sees the problem and continues afterwards', async () => {
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

describe.skipIf(isWithoutBrowser)('the way to', () => {
  /** Takes steps from a page on a phone and expects few taps; returns their number. */
  async function walk(
    path: string,
    steps: (user: PhoneUser) => Promise<void>,
    prepare?: PageOptions['prepare'],
  ) {
    const { page } = await open.openAt(path, { viewport: screens.phone, ...(prepare && { prepare }) });
    const user = new PhoneUser(page);
    await steps(user);
    expect(user.taps).toBeLessThanOrEqual(maxTaps);
    return user.taps;
  }
  /** Shows yesterday, which is complete at any hour, as if it were today. */
  async function showYesterday(page: Page): Promise<void> {
    const visits = await readHub<TimelineItem[]>(open.hub, `/timeline?date=${yesterday()}`);
    const [start, end] = [yesterday(), yesterday(0)].map((day) => `${day}T00:00:00%2B01:00`);
    const best = await readHub<unknown[]>(
      open.hub,
      `/highlights?start_time=${start}&end_time=${end}&limit=16`,
    );
    const now = visits.map((visit) => ({ ...visit, start_time: new Date().toISOString() }));
    await page.route('**/api/ui/timeline?*', (route) => route.fulfill({ json: now }));
    await page.route('**/api/ui/highlights?*', (route) => route.fulfill({ json: best }));
  }
  const isPlaying = (page: Page) =>
    page.locator('video').evaluate((element) => Reflect.get(element, 'paused') === false);

  test('the visitors of today, takes no tap', async () => {
    const taps = await walk(
      '/',
      async ({ page }) => {
        await page.getByText('Latest visitor').or(page.getByText('Best of today')).first().waitFor();
        await page.getByRole('heading', { name: 'Species of the day' }).waitFor();
      },
      showYesterday,
    );
    expect(taps).toBe(0);
  });

  test('the best clip of today, takes few taps until it plays', async () => {
    await walk(
      '/',
      async (user) => {
        await user.tap(user.page.getByRole('list', { name: 'Best moments' }).getByRole('link').first());
        await user.page.waitForURL(/\/videos\/\d+/);
        await user.tap(user.page.getByRole('button', { name: 'Play', exact: true }));
        await expect.poll(() => isPlaying(user.page)).toBe(true);
      },
      showYesterday,
    );
  });

  test('all visits of a species in the last week, takes few taps', async () => {
    const species = await readHub<{ id: number; name: string; visits: number; group: string }[]>(
      open.hub,
      '/species',
    );
    const [bird] = species.filter(({ group }) => group === 'bird').sort((a, b) => b.visits - a.visits);
    await walk('/', async (user) => {
      await user.goTo('Timeline');
      await user.tap(user.button('7 days'));
      await user.tap(user.page.getByRole('button', { name: bird?.name ?? '', exact: true }));
      await user.page.waitForURL((url) => /range=week/.test(url.search) && /species_id=\d+/.test(url.search));
      const cards = user.page.locator('[data-visit] a');
      await cards.first().waitFor();
      for (const card of await cards.all()) expect(await card.textContent()).toBe(bird?.name);
    });
  });

  test('another species for a bird and back, takes few taps', async () => {
    const { id, species } = await findRecording();
    const names = async () =>
      (await readHub<VideoResponse>(open.hub, `/videos/${id}`)).species.map(
        ({ species_name }) => species_name,
      );
    await walk(`/videos/${id}`, async (user) => {
      await correctTo('Common Hoopoe', species[0]?.species_name ?? '', user);
      await expect.poll(names).toEqual(['Common Hoopoe']);
      await user.tap(user.button('Undo'));
      await expect.poll(names).toEqual([species[0]?.species_name]);
    });
  });

  test('a favourite, takes one tap', async () => {
    const { id } = await findRecording();
    const isFavorite = async () => (await readHub<{ favorite: boolean }>(open.hub, `/videos/${id}`)).favorite;
    const taps = await walk(`/videos/${id}`, async (user) => {
      await user.tap(user.page.getByRole('button', { name: 'Favourite', exact: true }));
      await expect.poll(isFavorite).toBe(true);
    });
    expect(taps).toBe(1);
    const headers = { 'content-type': 'application/json' };
    await readHub(open.hub, `/videos/${id}`, { method: 'PATCH', headers, body: '{"favorite":false}' });
  });

  test('the report of the newest month, takes few taps', async () => {
    await walk('/', async (user) => {
      await user.goTo('Reports');
      const download = user.page.waitForEvent('download');
      const name = /^Download the report/;
      await user.tap(user.link(name).or(user.button(name)));
      expect((await download).suggestedFilename()).toMatch(/^bird_report_\d{6}\.pdf$/);
    });
  });

  test('a password for the hub, takes few taps', async () => {
    try {
      await walk('/', async (user) => {
        await user.goTo('Settings');
        await user.tap(user.link('Access and passwords'));
        await user.type(user.page.getByLabel('Admin password'), password);
        await user.tap(user.page.getByRole('button', { name: 'Save', exact: true }));
        const isLocked = () => readHub<{ requires: boolean }>(open.hub, '/settings/requires-password');
        await expect.poll(isLocked).toMatchObject({ requires: true });
      });
    } finally {
      const cookie = await unlockAs(open.hub, password);
      await changeSettings(open.hub, { general: { settings_password: '' } }, cookie);
    }
  });

  test('the location of the hub, takes few taps', async () => {
    try {
      await walk('/', async (user) => {
        await user.tap(user.link('Set the location for weather and sunrise'));
        await user.type(user.page.getByLabel('City nearby'), 'berl');
        await user.tap(user.button('Berlin, Germany'));
        const place = async () =>
          (await readHub<{ secrets: { latitude: string } }>(open.hub, '/settings')).secrets.latitude;
        await expect.poll(place).toMatch(/^52\.5/);
      });
    } finally {
      await changeSettings(open.hub, { secrets: { latitude: '', longitude: '' } });
    }
  });

  test('notifications on this device, takes one tap', async () => {
    const { page } = await open.openAt('/', { hasServiceWorker: true, viewport: screens.phone });
    await page.context().grantPermissions(['notifications']);
    // No push service is reachable from here.
    await page.addInitScript(`
      const keys = { p256dh: 'BPublicKeyOfThisDevice', auth: 'secret' };
      const endpoint = 'https://push.example/device';
      let made = null;
      PushManager.prototype.getSubscription = async () => made;
      PushManager.prototype.subscribe = async (options) => {
        made = { endpoint, options, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => true };
        return made;
      };`);
    const subscriptions: unknown[] = [];
    await page.route('**/api/ui/push/subscribe', async (route) => {
      subscriptions.push(route.request().postDataJSON());
      await route.fulfill({ status: 201, json: { message: 'ok' } });
    });
    await page.reload();
    const user = new PhoneUser(page);
    await user.tap(user.button('Turn on'));
    await expect.poll(() => subscriptions).toHaveLength(1);
    const keys = { p256dh: 'BPublicKeyOfThisDevice', auth: 'secret' };
    expect(subscriptions[0]).toEqual({ subscription: { endpoint: 'https://push.example/device', keys } });
    expect(user.taps).toBe(1);
  });

  test('the reason for a missing picture, takes no tap', async () => {
    const purged = { error: 'gone', code: 'media_purged', request_id: 'x' };
    const taps = await walk(
      `/timeline?date=${yesterday()}&source=video`,
      async ({ page }) => page.getByText('No picture: file deleted').first().waitFor(),
      (page) => page.route('**/crop*', (route) => route.fulfill({ status: 410, json: purged })),
    );
    expect(taps).toBe(0);
  });

  test('the visits of one camera and its page, takes few taps', async () => {
    const { cameras } = await readHub<{ cameras: { id: string; name: string }[] }>(open.hub, '/cameras');
    const [camera] = cameras;
    await walk('/', async (user) => {
      await user.goTo('Timeline');
      await user.tap(user.page.getByRole('button', { name: camera?.name ?? '', exact: true }));
      await user.page.locator('[data-visit]').first().waitFor();
      const cards = await user.page.locator('[data-visit]').allTextContents();
      expect(cards.filter((card) => !card.includes(camera?.name ?? '?'))).toEqual([]);
      await user.tap(user.link(`About ${camera?.name}`));
      await user.page.waitForURL(`**/cameras/${camera?.id}*`);
    });
  });

  test('a comparison with last week, takes few taps', async () => {
    await walk('/', async (user) => {
      await user.goTo('Compare');
      await user.page.getByRole('heading', { name: 'Day by day' }).waitFor();
    });
  });

  test('a public link to a moment, takes few taps', async () => {
    let address = '';
    await walk(`/timeline?date=${yesterday()}&source=video`, async (user) => {
      await user.tap(
        user.page
          .locator('[data-visit]')
          .first()
          .getByRole('button', { name: /^Share/ }),
      );
      await user.tap(user.button('Create public link'));
      const field = user.page.getByRole('textbox', { name: 'Public link' });
      await field.waitFor();
      address = await field.inputValue();
      await user.tap(user.button('Copy: Public link'));
    });
    expect(address).toMatch(/\/s\/[\w-]{40,}$/);
  });
});

describe.skipIf(isWithoutBrowser)('a shared link', () => {
  interface SharedLink {
    readonly id: number;
    readonly url: string;
  }
  const share = async (body: object): Promise<SharedLink> => {
    const headers = { 'content-type': 'application/json' };
    return readHub(open.hub, '/shares', { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const metaOf = (page: Page, name: string) =>
    page.locator(`meta[property="${name}"]`).getAttribute('content');

  test('to a recording, shows it with a preview picture to anyone until it is revoked', async () => {
    const { id, species } = await findRecording();
    const { url } = await share({ video_id: id });
    const { page: stranger, pageErrors } = await openPage(open.browser);
    await changeSettings(open.hub, { general: { settings_password: password } });
    try {
      await stranger.goto(url);
      await stranger
        .getByText(species[0]?.species_name ?? '')
        .first()
        .waitFor();
      const picture = await stranger.request.get((await metaOf(stranger, 'og:image')) ?? '');
      expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/jpeg']);
      expect((await stranger.request.get(`${url}/media`)).ok()).toBe(true);
      expect(await stranger.context().cookies()).toEqual([]);
      expect(pageErrors).toEqual([]);
    } finally {
      await changeSettings(
        open.hub,
        { general: { settings_password: '' } },
        await unlockAs(open.hub, password),
      );
    }
    const { page } = await open.openAt('/shares', { viewport: screens.phone });
    const named = new RegExp(`^Revoke the link to .*${species[0]?.species_name}`);
    const revoke = page.getByRole('button', { name: named });
    const count = await revoke.count();
    await revoke.first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => revoke.count()).toBe(count - 1);
    expect((await stranger.goto(url))?.status()).toBe(404);
    await stranger.context().close();
  });

  test('with sharing turned off, is not offered and shows nothing', async () => {
    const { id } = await findRecording();
    const { url } = await share({ day: yesterday() });
    await changeSettings(open.hub, { sharing: { enabled: false } });
    try {
      const { page } = await open.openAt(`/videos/${id}`, { viewport: screens.phone });
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByText('The administrator has turned sharing off.').waitFor();
      expect(await page.getByRole('textbox', { name: 'Link within this hub' }).inputValue()).toBe(
        `${open.hub.baseUrl}/videos/${id}`,
      );
      expect(await page.getByRole('button', { name: 'Create public link' }).count()).toBe(0);
      expect((await fetch(url)).status).toBe(404);
    } finally {
      await changeSettings(open.hub, { sharing: { enabled: true } });
    }
  });
});

describe.skipIf(isWithoutBrowser)('the picture of a recording', () => {
  test('before playing, has the box of its bird, and magnified by a key, follows the bird until Escape', async () => {
    const { id, species } = await findRecording();
    const { page } = await open.openAt(`/videos/${id}`);
    const box = page.locator('[class*=box]', { hasText: species[0]?.species_name ?? '' });
    await box.waitFor();
    const before = await box.boundingBox();
    await page.keyboard.press('z');
    const picture = page.getByRole('group', { name: /^Enlarged picture/ });
    await picture.focus();
    await expect
      .poll(async () => (await box.boundingBox())?.width)
      .toBeGreaterThan((before?.width ?? 0) * 1.4);
    const after = await box.boundingBox();
    const frame = await picture.boundingBox();
    if (after === null || frame === null) throw new Error('it is not drawn');
    expect(after.x).toBeGreaterThanOrEqual(frame.x - 1);
    expect(after.x + after.width).toBeLessThanOrEqual(frame.x + frame.width + 1);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('button', { name: 'Follow the bird' }).click();
    await picture.focus();
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await box.boundingBox())?.width).toBe(before?.width);
    expect(page.url()).toContain(`/videos/${id}`);
  });
});
