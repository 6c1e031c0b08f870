import type { TestHub } from '@birdhub/testing/hub';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TimelineItem, VideoResponse } from '../e2e/fixtures/hub-responses.js';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import { screens } from '../support/browser.js';
import { findViolations } from './support/check-accessibility.js';
import { zone } from './support/fill-hub.js';
import { changeSettings, readHub, unlockAs, yesterday } from './support/hub-api.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';
import { settle } from './support/pages.js';

const open = useFilledHub();
const seenYesterday = () =>
  readHub<TimelineItem[]>(open.hub, `/timeline?date=${yesterday()}&source=video&limit=20`);

describe.skipIf(isWithoutBrowser)('an address', () => {
  test.each([
    '2026-13-45',
    'yesterday',
    '20261122',
    '%E0%A4%A',
    '%00',
    '0001-01-01',
    '9999-12-31',
    '2026-05-04T08:00',
    '2026-05-04&date=2026-05-05',
    '[1]',
  ])('of the timeline with the invalid date %s, shows all days', async (date) => {
    const { page, pageErrors } = await open.openAt(`/timeline?date=${date}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Timeline');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(pageErrors).toEqual([]);
  });

  test.each([
    ['/timeline?review=1&date=2026-02-30', 'Review'],
    ['/timeline?review=1&until=9999-12-31', 'Review'],
    ['/reports?month=2026-13', 'Reports'],
    ['/reports?month=9999-12', 'Reports'],
    ['/calendar?from=long+ago&to=99999', 'Calendar'],
    ['/calendar?from=-1&to=0', 'Calendar'],
  ])('%s, shows the page without the invalid parameters', async (path, heading) => {
    const { page } = await open.openAt(path);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  });

  test('/review, redirects to the review', async () => {
    const { page } = await open.openAt('/review');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Review');
    expect(page.url()).toBe(`${open.hub.baseUrl}/timeline?review=1`);
  });
});

describe.skipIf(isWithoutBrowser)('the reports', () => {
  const name = /^Download the report/;
  const button = (page: Page) => page.getByRole('link', { name }).or(page.getByRole('button', { name }));

  test('opened, offer the newest month with birds', async () => {
    const { page } = await open.openAt('/reports');
    const [newest] = await readHub<TimelineItem[]>(open.hub, `/timeline?date=${yesterday(0)}&limit=1`);
    const month = (newest?.start_time ?? `${yesterday()}T`).slice(0, 7).replace('-', '');
    const [download] = await Promise.all([page.waitForEvent('download'), button(page).click()]);
    expect(download.suggestedFilename()).toBe(`bird_report_${month}.pdf`);
  });

  test('for a month without birds, are not offered', async () => {
    const { page } = await open.openAt('/reports?month=2001-01');
    await page.getByRole('heading', { name: /January 2001/ }).waitFor();
    await expect.poll(() => button(page).isDisabled()).toBe(true);
  });
});

describe.skipIf(isWithoutBrowser)('a recording', () => {
  test('marked as a favourite, keeps the name of its button, which is pressed', async () => {
    const [visit] = await seenYesterday();
    const { page } = await open.openAt(`/videos/${visit?.detections[0]?.video_id}`);
    const star = page.getByRole('button', { name: 'Favourite', exact: true });
    const isPressed = () => star.getAttribute('aria-pressed');
    expect(await isPressed()).toBe('false');
    await star.click();
    await expect.poll(isPressed).toBe('true');
    await star.click();
    await expect.poll(isPressed).toBe('false');
  });
});

describe.skipIf(isWithoutBrowser)('a bird that was only heard', () => {
  const portrait = '/api/ui/species-portrait.jpg';
  let owl: { id: number; visits: number };
  let video: VideoResponse;
  /** The day of its latest visit. */
  let day: string;
  const setPicture = (image_url: string | null) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ image_url });
    return readHub(open.hub, `/species/${owl.id}`, { method: 'PATCH', headers, body });
  };
  beforeAll(async () => {
    const all = await readHub<{ id: number; name: string; visits: number; heard_only: boolean }[]>(
      open.hub,
      '/species',
    );
    const heard = all.find(({ heard_only }) => heard_only);
    if (heard === undefined) throw new Error('the demo has no bird that is only heard');
    owl = heard;
    await setPicture(portrait);
    const [visit] = await readHub<TimelineItem[]>(open.hub, `/species/${owl.id}/visits?limit=1`);
    day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(visit?.start_time ?? 0));
    video = await readHub<VideoResponse>(open.hub, `/videos/${visit?.detections[0]?.video_id}`);
  });
  afterAll(() => setPicture(null));

  test('in the timeline, is shown by its sound and marked as heard only', async () => {
    const { page } = await open.openAt(`/timeline?date=${day}&species_id=${owl.id}`);
    const card = page.locator('[data-visit]').first();
    await card.getByText('Heard only').waitFor();
    expect(await card.locator('img').getAttribute('src')).toMatch(/\/videos\/\d+\/spectrogram$/);
    expect(await card.getByRole('img', { name: 'Heard only' }).count()).toBe(1);
    // The filter above may show the picture of the species; no visit does.
    const visits = page.locator('[data-visit]');
    expect(await visits.locator(`img[src*="${portrait}"], img[src*="/crop"]`).count()).toBe(0);
  });

  test('on Today, is shown by its sound and marked as heard only', async () => {
    const items = await readHub<TimelineItem[]>(open.hub, `/species/${owl.id}/visits?limit=1`);
    const now = items.map((item) => ({ ...item, start_time: new Date().toISOString() }));
    const { page } = await open.openAt('/', {
      async prepare(fresh) {
        await fresh.route('**/api/ui/timeline?*', (route) => route.fulfill({ json: now }));
        await fresh.route('**/api/ui/highlights*', (route) => route.fulfill({ json: [] }));
      },
    });
    await page.getByText('heard only').first().waitFor();
    // The hero, the tile and the row of the latest visits.
    await expect.poll(() => page.locator('main img[src$="/spectrogram"]').count()).toBe(3);
    expect(await page.locator(`img[src*="${portrait}"], img[src*="/crop"]`).count()).toBe(0);
  });

  test('in its recording, is shown by its part of the spectrogram and marked as heard only', async () => {
    const { page } = await open.openAt(`/videos/${video.id}`);
    await page.locator('li > button[aria-expanded]').first().click();
    const panel = page.locator('li').filter({ has: page.getByRole('combobox') });
    await panel.getByText('Heard only').waitFor();
    expect(await panel.locator('img').getAttribute('src')).toMatch(/\/spectrogram/);
  });

  test('in the gallery and on its page, is counted by visits and marked as heard only', async () => {
    const visits = new RegExp(`^${owl.visits} visits? · heard only`);
    const { page } = await open.openAt('/species');
    await page.getByText(visits).first().waitFor();
    await page.goto(`${open.hub.baseUrl}/species/${owl.id}`);
    await page.getByText(visits).first().waitFor();
    expect(await page.getByText(/birds? seen/i).count()).toBe(0);
  });
});

describe.skipIf(isWithoutBrowser)('a species', () => {
  interface Listed {
    readonly id: number;
    readonly name: string;
    readonly visits: number;
    readonly count: number;
    readonly heard_only: boolean;
  }
  let bird: Listed;
  beforeAll(async () => {
    const all = await readHub<Listed[]>(open.hub, '/species/observed');
    // Several birds at once, so that the numbers of birds and visits differ.
    const found = all.find(({ visits, count, heard_only }) => !heard_only && count > visits && visits > 1);
    if (found === undefined) throw new Error('the demo has no birds that came together');
    bird = found;
  });

  test('on every page, has the same number of visits', async () => {
    const summary = await readHub<{ stats: { peak_count_30d: number } }>(
      open.hub,
      `/species/${bird.id}/summary`,
    );
    const { page } = await open.openAt('/species');
    const card = page.locator('article').filter({ hasText: bird.name });
    expect(await card.textContent()).toContain(`${bird.visits} visits`);
    await page.goto(`${open.hub.baseUrl}/species/${bird.id}`);
    await page.getByText(`${bird.visits} visits · peak count ${summary.stats.peak_count_30d}`).waitFor();
    const month = page.locator('dd').last();
    expect(await month.textContent()).toBe(String(bird.visits));
    await page.goto(`${open.hub.baseUrl}/calendar`);
    const row = page.getByRole('row').filter({ hasText: bird.name });
    expect(await row.locator('td').last().textContent()).toBe(String(bird.visits));
  });

  test('with its visits, lists them by day without repeating its name', async () => {
    const { page } = await open.openAt(`/species/${bird.id}`);
    const visits = page.getByRole('region', { name: 'Recent visits' });
    expect(await visits.getByRole('heading', { level: 3 }).count()).toBeGreaterThan(0);
    const [card] = await visits.locator('article').allInnerTexts();
    expect(card).toMatch(/^\d\d:\d\d(–\d\d:\d\d)?\n/);
    expect(card).not.toContain(bird.name);
    expect(await visits.locator('a[href*="/species/"]').count()).toBe(0);
  });
});

describe.skipIf(isWithoutBrowser)('the description of a species', () => {
  test.each([
    ['de-DE', 'de', 'Ein kleiner Vogel.'],
    ['ru-RU', 'ru', 'A small bird.'],
  ])(
    'for a reader of %s, is requested in %s and marked with its own language',
    async (locale, asked, text) => {
      const [species] = await readHub<{ id: number }[]>(open.hub, '/species/observed');
      const wanted: (string | null)[] = [];
      const { page } = await open.openAt(`/species/${species?.id}`, {
        locale,
        prepare: (fresh) =>
          fresh.route('**/api/ui/species/*/summary?*', async (route) => {
            const lang = new URL(route.request().url()).searchParams.get('lang');
            wanted.push(lang);
            const response = await route.fetch();
            const body = (await response.json()) as { species: object };
            const translation = lang === 'de' ? ['Ein kleiner Vogel.', 'de'] : ['A small bird.', 'en'];
            const [description, description_language] = translation;
            const source = {
              url: `https://${description_language}.wikipedia.org/wiki/Bird`,
              licence: 'CC BY-SA 4.0',
            };
            const described = {
              ...body.species,
              description,
              description_language,
              description_source: source,
            };
            await route.fulfill({ json: { ...body, species: described } });
          }),
      });
      const description = page.getByText(text);
      await description.waitFor();
      expect(wanted).toContain(asked);
      expect(await description.getAttribute('lang')).toBe(text.startsWith('Ein') ? 'de' : 'en');
    },
  );
});

describe.skipIf(isWithoutBrowser)('a card of the timeline', () => {
  test('of a visit with two recordings, opens the one of its picture at the second of the bird', async () => {
    const [visit] = await seenYesterday();
    const best = visit?.detections.find(({ source }) => source === 'video');
    if (visit === undefined || best === undefined) throw new Error('nobody was seen yesterday');
    const { species } = await readHub<VideoResponse>(open.hub, `/videos/${best.video_id}`);
    const shown = species.find(({ id }) => id === best.id);
    const first = { ...best, id: 1, video_id: 1, confidence: 0.01, start_time: '2020-01-01T00:00:00Z' };
    const { page } = await open.openAt(`/timeline?date=${yesterday()}`, {
      prepare: (fresh) =>
        fresh.route('**/api/ui/timeline?*', (route) =>
          route.fulfill({ json: [{ ...visit, best: null, detections: [best, first] }] }),
        ),
    });
    await page.locator('[data-visit] a').first().click();
    await page.waitForURL(`**/videos/${best.video_id}?detection=${best.id}`);
    const time = () => page.evaluate("document.querySelector('video')?.currentTime ?? -1");
    await expect.poll(time).toBeCloseTo(shown?.start_time ?? -1, 1);
  });
});

describe.skipIf(isWithoutBrowser)('the settings of the hub', () => {
  const weather = {
    temp: 12.3,
    main: 'Clear',
    description: 'clear',
    humidity: 60,
    clouds: 0,
    wind_speed: 3.1,
  };
  const stubWeather = (page: Page) =>
    page.route('**/api/ui/weather', (route) => route.fulfill({ json: { ...weather, stale: false } }));

  test('with a name and imperial units, show in the header, the tab title and American figures', async () => {
    await changeSettings(open.hub, { general: { app_name: 'Our garden', units: 'imperial' } });
    try {
      const { page } = await open.openAt('/', { locale: 'en-US', prepare: stubWeather });
      await page.getByRole('banner').getByText('Our garden').waitFor();
      await expect.poll(() => page.title()).toBe('Today · Our garden');
      await page.getByText('54°F').waitFor();
      await page.getByText(/7 mph/).waitFor();
      await page.goto(`${open.hub.baseUrl}/timeline?date=${yesterday()}`);
      const card = page.locator('[data-visit]').first();
      expect(await card.textContent()).toMatch(/\d:\d\d\s(AM|PM)/);
    } finally {
      await changeSettings(open.hub, { general: { app_name: 'Birdhub', units: 'metric' } });
    }
  });

  test('by default, show °C, m/s and a 24-hour clock', async () => {
    const { page } = await open.openAt('/', { prepare: stubWeather });
    await page.getByText('12°C').waitFor();
    await page.getByText(/3 m\/s/).waitFor();
    await expect.poll(() => page.title()).toBe('Today · Birdhub');
    await page.goto(`${open.hub.baseUrl}/timeline?date=${yesterday()}`);
    const card = page.locator('[data-visit]').first();
    expect(await card.textContent()).not.toMatch(/AM|PM/);
  });
});

describe.skipIf(isWithoutBrowser)('the checklists of the settings', () => {
  const columns =
    'scientific_name,english_name,english_name_clements,cornell_code,order,family,family_english';
  const bird = 'Testus primus,First Tester,Prime Tester,testpr1,Passeriformes,Testidae,Testers';
  const step = { species_id: 1, into_species_id: 2, scientific_name: null, ebird_code: null, family: null };
  const plan = {
    steps: [{ ...step, kind: 'merge', name: 'Prime Tester', into_name: 'Testus primus' }],
    last: null,
  };
  const stubTidy = (page: Page) =>
    page.route('**/api/ui/species/tidy', (route) => route.fulfill({ json: plan }));

  test.each(['phone', 'desktop'] as const)(
    'on a %s, name the line of a broken file, show source and licence, and offer to tidy up',
    async (screen) => {
      const { page } = await open.openAt('/settings#species', {
        viewport: screens[screen],
        prepare: stubTidy,
      });
      const load = async (...lines: string[]) => {
        const [chooser] = await Promise.all([
          page.waitForEvent('filechooser'),
          page.getByRole('button', { name: 'Load a file' }).click(),
        ]);
        const buffer = Buffer.from([columns, ...lines].join('\n'));
        await chooser.setFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
      };
      await page.getByText('No checklist is loaded.').waitFor();
      await load(bird, 'Testus,Second Tester,,,,,');
      await page
        .getByRole('status')
        .getByText(/Line 3: "Testus" is not a scientific name of two words/)
        .waitFor();
      await load(bird);
      await page.getByRole('status').getByText('Loaded: 1 species.').waitFor();
      const list = page.getByRole('listitem').filter({ hasText: 'AviList' });
      await list.getByRole('link', { name: /AviList: The Global Avian Checklist/ }).waitFor();
      await list.getByText(/Licence: CC BY 4\.0/).waitFor();
      await page.getByText('Prime Tester is Testus primus').waitFor();
      await page.getByRole('button', { name: 'Tidy up' }).waitFor();
      await settle(page);
      expect(await findViolations(page)).toEqual([]);
      expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(
        screens[screen].width,
      );
      await list.getByRole('button', { name: /^Remove/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('No checklist is loaded.').waitFor();
    },
  );
});

describe.skipIf(isWithoutBrowser)('rules and channels in the settings', () => {
  test('on a phone, make a rule in four taps, with its sentence and a preview', async () => {
    const { page, pageErrors } = await open.openAt('/settings#notifications', { viewport: screens.phone });
    const stored = await readHub<{ id: number }[]>(open.hub, '/alert-rules');
    try {
      await page.getByRole('button', { name: 'Add a rule' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a rule' });
      await dialog.getByLabel('Notify me').selectOption('any_visit');
      await dialog.getByText('Notifies you of every visit.').waitFor();
      await dialog.getByText(/Would have sent \d[\d,]* notifications last week/).waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'hidden' });
      const rules = await readHub<{ id: number; name: string }[]>(open.hub, '/alert-rules');
      expect(rules).toHaveLength(stored.length + 1);
      expect(rules.at(-1)?.name).toBe('Every visit');
      await page.getByRole('switch', { name: 'Every visit: on or off' }).first().waitFor();
      expect(pageErrors).toEqual([]);
    } finally {
      const known = new Set(stored.map(({ id }) => id));
      for (const { id } of await readHub<{ id: number }[]>(open.hub, '/alert-rules'))
        if (!known.has(id)) await readHub(open.hub, `/alert-rules/${id}`, { method: 'DELETE' });
    }
  });

  test('with a channel that reaches nobody, report this in the test and keep the input', async () => {
    const { page } = await open.openAt('/settings#notifications');
    await page.getByRole('button', { name: 'Webhook', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Webhook' });
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9/');
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByText('The test was not sent').waitFor();
    expect(await dialog.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:9/');
  });

  test('in the log, give the reason for each rule that sent nothing', async () => {
    const entry = {
      id: 1,
      kind: 'visit',
      at: '2026-05-04T08:30:00Z',
      logged_at: '2026-05-04T08:30:01Z',
      title: 'Great Tit',
      visit_id: 1,
      video_id: 1,
      species_id: 1,
      translation: true,
      reason: null,
      verdicts: [
        { rule_id: 1, rule_name: 'New at the feeder', translation: false, refusal: 'not_first_ever' },
        { rule_id: 2, rule_name: 'First of the day', translation: true, refusal: null },
      ],
    };
    const { page } = await open.openAt('/settings#notifications', {
      prepare: (fresh) =>
        fresh.route('**/api/ui/alert-log*', (route) =>
          route.fulfill({ json: { entries: [entry], next_cursor: null } }),
        ),
    });
    const log = page.getByRole('region', { name: 'Log' });
    await log.getByText('New at the feeder: was here before').waitFor();
    await log.getByText('First of the day: sent').waitFor();
  });
});

describe.skipIf(isWithoutBrowser)('the chart of the machine', () => {
  test('with samples at unequal intervals, draws time to scale', async () => {
    const from = Date.parse('2026-05-04T08:30:00Z');
    const samples = [0, 1, 6, 7].map((minute) => ({
      t: new Date(from + minute * 60_000).toISOString(),
      cpu: 10,
      memory: 20,
      disk: 30,
      gpu: null,
    }));
    const { page } = await open.openAt('/system', {
      prepare: (fresh) =>
        fresh.route('**/api/ui/system/metrics/history*', (route) =>
          route.fulfill({ json: { samples, hours_requested: 24 } }),
        ),
    });
    const line = page.locator('.recharts-line-curve').first();
    await line.waitFor({ state: 'attached' });
    const [one = 0, two = 0, three = 0] = ((await line.getAttribute('d')) ?? '')
      .split(/[ML]/)
      .filter(Boolean)
      .map((point) => Number(point.split(',')[0]));
    expect((three - two) / (two - one)).toBeCloseTo(5, 1);
    const legend = await page.locator('.mantine-LineChart-legendItemName').allTextContents();
    const gauges = await page.locator('section .mantine-Progress-root').all();
    const names = await Promise.all(
      gauges.map((one) => one.locator('[role=progressbar]').getAttribute('aria-label')),
    );
    expect(legend).toEqual(names.slice(0, legend.length));
  });
});

describe.skipIf(isWithoutBrowser)('a locked hub', () => {
  const [admin, contributor] = ['blackbird', 'goldfinch'];

  test('opening the settings, asks for the admin password and recognises that of contributors', async () => {
    await changeSettings(open.hub, {
      general: { settings_password: admin, contributor_password: contributor },
    });
    try {
      const { page } = await open.openAt('/settings');
      await page.goto(`${open.hub.baseUrl}/settings#hub`);
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/admin password/).waitFor();
      expect(await dialog.getByText(/contributor/).count()).toBe(0);
      await dialog.getByLabel('Password', { exact: true }).fill(contributor);
      await page.keyboard.press('Enter');
      await dialog.getByText('That is the contributor password').waitFor();
      await dialog.getByLabel('Password', { exact: true }).fill(admin);
      await page.keyboard.press('Enter');
      await page.getByLabel('Name', { exact: true }).waitFor();
    } finally {
      const cookie = await unlockAs(open.hub, admin);
      await changeSettings(
        open.hub,
        { general: { settings_password: '', contributor_password: '' } },
        cookie,
      );
    }
  });
});

describe.skipIf(isWithoutBrowser)('a hub without birds', () => {
  const folder = useDataFolder();
  let empty: TestHub;
  beforeAll(async () => {
    empty = await startHubIn(folder, inOneProcess);
  });

  test('in the review, shows that there is nothing yet, no progress and no earlier days', async () => {
    const { page } = await open.openAt('/timeline?review=1', { on: empty });
    await page.getByText('Nothing to review yet').waitFor();
    expect(await page.getByText(/0 of 0/).count()).toBe(0);
    expect(await page.getByRole('link', { name: /earlier/i }).count()).toBe(0);
  });

  test('in the timeline, offers no day before the first', async () => {
    const { page } = await open.openAt('/timeline', { on: empty });
    await page.getByText('No visits yet').waitFor();
    expect(await page.locator('main').getByRole('link', { name: 'Previous day' }).count()).toBe(0);
  });

  test('on the page of a species, does not claim that no detector looks for it', async () => {
    const species = await readHub<{ id: number; name: string }[]>(empty, '/species');
    const tit = species.find(({ name }) => name === 'Great Tit');
    const { page } = await open.openAt(`/species/${tit?.id}`, { on: empty });
    expect(await page.getByText('Parus major').count()).toBe(1);
    expect(
      await page.getByText(/do not look for it|detector’s species list|detector's species list/).count(),
    ).toBe(0);
  });

  test('in the reports, offers none', async () => {
    const { page } = await open.openAt('/reports', { on: empty });
    await expect
      .poll(() => page.getByRole('button', { name: /^Download the report/ }).isDisabled())
      .toBe(true);
  });
});
