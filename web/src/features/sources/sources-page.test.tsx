import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { unlockRequests } from '../../api/unlock';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import { SourcesPage } from './sources-page';
import texts from './texts/en.json';

let address: string;
let page: Awaited<ReturnType<typeof renderPart>>;
const href = () => page.router.state.location.href;

beforeEach(() => {
  address = '/sources';
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const createSource = (given: object = {}) => ({
  id: 3,
  kind: 'frigate',
  name: 'Frigate',
  url: 'http://192.168.1.20:5000',
  username: 'admin',
  has_password: true,
  path: null,
  options: {
    mqtt_url: null,
    mqtt_topic_prefix: null,
    cameras: {},
    camera_prefix: null,
    labels: null,
    min_confidence: null,
    timezone: null,
    write_back: false,
  },
  enabled: true,
  state: 'live',
  message: null,
  last_contact_at: new Date(Date.now() - 120_000).toISOString(),
  last_event_at: new Date(Date.now() - 7_200_000).toISOString(),
  behind_seconds: 0,
  media_waiting: 0,
  cameras: [{ upstream: 'birdcam', camera_id: 'garden' }],
  created_at: '2026-05-01T08:00:00Z',
  ...given,
});

const createJob = (given: object = {}) => ({
  job_id: 7,
  kind: 'import',
  state: 'running',
  parameters: { source_id: 3, since: '2026-01-01T00:00:00Z', until: '2026-05-01T00:00:00Z', media: 'none' },
  progress: { processed: 250, total: 1000, generated: 200, failed: 0, skipped: 50, current_video_id: null },
  result: {
    generated: 200,
    failed: 0,
    skipped: 50,
    imported: 200,
    already_known: 38,
    reasons: [{ reason: 'Not a bird', count: 12 }],
  },
  failures: [],
  error: null,
  started_at: '2026-05-01T08:00:00Z',
  finished_at: null,
  ...given,
});

const detail = 'GET /api/ui/sources/3';
const change = 'PATCH /api/ui/sources/3';
const create = 'POST /api/ui/sources';
const testing = 'POST /api/ui/sources/test';
const jobs = 'GET /api/ui/system/jobs';

async function show(sources: object[], replies: Replies = {}) {
  const { calls } = stubHub({
    'GET /api/ui/sources': () => ({ body: sources }),
    'GET /api/ui/cameras': () => ({ body: { cameras: [{ id: 'garden', name: 'The garden' }] } }),
    [jobs]: () => ({ body: { running: 0, total: 0, jobs: [] } }),
    ...replies,
  });
  page = await renderPart(<SourcesPage />, { sources: texts, components }, {}, { address });
  await waitFor(() => expect(screen.queryByLabelText('Loading')).toBeNull());
  return (call: string) => calls.filter(([name]) => name === call).map(([, body]) => body);
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const dialog = () => within(screen.getByRole('dialog'));
const field = (label: string | RegExp) =>
  screen.getByLabelText(label, { selector: 'input' }) as HTMLInputElement;
const fill = (label: string | RegExp, value: string) => fireEvent.change(field(label), { target: { value } });

describe('a hub without sources', () => {
  test('on opening the page, offers a card for each program and the ways for all others', async () => {
    await show([]);
    screen.getByRole('heading', { name: 'Where do your birds come from?' });
    const cards = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    for (const kind of ['frigate', 'birdnet-go', 'birdnet-pi', 'ya-wamf', 'whosatmyfeeder']) {
      expect(cards).toContain(`/sources?add=${kind}`);
    }
    expect(cards).toEqual(
      expect.arrayContaining(['/settings#webhooks', '/settings#mqtt', '/settings#access']),
    );
    expect(screen.queryByText('Your sources')).toBeNull();
  });

  test('when locked and no password is entered, shows this and does not ask again by itself', async () => {
    const shown = show([], {
      'GET /api/ui/sources': () => ({ status: 403, body: { code: 'admin_required', error: 'locked' } }),
    });
    await waitFor(() => expect(unlockRequests.current()?.role).toBe('admin'));
    unlockRequests.current()?.settle(false);
    const sent = await shown;
    await screen.findByText('The sources are locked');
    screen.getByRole('button', { name: 'Unlock' });
    expect(unlockRequests.current()).toBeUndefined();
    expect(sent('GET /api/ui/sources')).toHaveLength(1);
  });
});

describe('the form of BirdNET-Go', () => {
  test('left with typed values, asks first, and otherwise does not', async () => {
    const confirm = vi.fn(() => false);
    vi.stubGlobal('confirm', confirm);
    address = '/sources?add=birdnet-go';
    await show([]);
    const goTo = (next: string) => act(async () => page.router.history.push(next));
    await goTo('/sources');
    expect(href()).toBe('/sources');
    await goTo(address);
    expect(confirm).not.toHaveBeenCalled();
    fill(/^Address/, '192.168.1.21:8080');
    await goTo('/sources');
    expect(confirm).toHaveBeenCalledExactlyOnceWith(components.leave_unsaved);
    expect(href()).toBe(address);
  });

  test('with its options open, offers labels beside birds', async () => {
    address = '/sources?add=birdnet-go';
    await show([]);
    press('More options');
    field('Labels');
    screen.getByText(/Add bat for bats too/);
  });
});

describe('the form of Frigate', () => {
  const stage = (name: string, ok: boolean, text: string) => ({ stage: name, ok, detail: text });
  const passed = {
    ok: true,
    stages: [stage('address', true, 'It responds.'), stage('birds', true, 'Found one.')],
    sample: [
      {
        upstream_id: '1.5-ab',
        camera: 'birdcam',
        start_time: '2026-05-01T08:00:00Z',
        end_time: '2026-05-01T08:00:10Z',
        species: [{ species_name: 'Great Tit', confidence: 0.93 }],
        has_media: false,
      },
    ],
  };

  beforeEach(() => {
    address = '/sources?add=frigate';
  });

  test('without an address, names the missing field and sends nothing', async () => {
    const sent = await show([]);
    press('Add without a test');
    await screen.findByText('Required');
    press('Test connection');
    expect([sent(create), sent(testing)]).toEqual([[], []]);
  });

  test('after a passed test, shows the birds and adds the source with its camera names', async () => {
    const sent = await show([createSource()], {
      [testing]: () => ({ body: passed }),
      [create]: () => ({ status: 201, body: { id: 9 } }),
    });
    // The other source already has the name "Frigate".
    expect(field(/^Name/).value).toBe('Frigate 2');
    fill(/^Address/, '192.168.1.20:5000');
    fill('Password', 'secret');
    press('Test connection');
    await screen.findByText('Everything works');
    expect(sent(testing)).toEqual([
      expect.objectContaining({ kind: 'frigate', url: 'http://192.168.1.20:5000', password: 'secret' }),
    ]);
    expect(sent(create)).toEqual([]);
    screen.getByText('Great Tit (93%)');
    screen.getByText(/birdcam · Without a recording/);
    await waitFor(() => expect(field('birdcam in Birdhub').disabled).toBe(false));
    fill('birdcam in Birdhub', 'The garden');
    press('Add source');
    await waitFor(() => expect(href()).toBe('/sources?added=9'));
    expect(sent(create)).toEqual([
      expect.objectContaining({
        name: 'Frigate 2',
        options: expect.objectContaining({ cameras: { birdcam: 'garden' } }),
      }),
    ]);
  });

  test('after a failed test, shows the problem of the stage and marks later ones as not tested', async () => {
    await show([], {
      [testing]: () => ({
        body: {
          ok: false,
          stages: [stage('address', true, 'It responds.'), stage('login', false, 'The password is wrong.')],
          sample: [],
        },
      }),
    });
    fill(/^Address/, 'http://192.168.1.20:8971');
    press('Test connection');
    await screen.findByText('Stopped at: Login');
    const shown = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(shown).toContain('LoginThe password is wrong.');
    expect(screen.getAllByLabelText('Failed')).toHaveLength(1);
    expect(screen.getAllByLabelText('Not tested')).toHaveLength(4);
    screen.getByRole('button', { name: 'Add anyway' });
  });

  test('when changed after its test, marks the test as outdated', async () => {
    await show([], { [testing]: () => ({ body: passed }) });
    fill(/^Address/, 'http://192.168.1.20:5000');
    press('Test connection');
    await screen.findByText('Everything works');
    fill(/^Address/, 'http://192.168.1.21:5000');
    screen.getByText('You have changed something since this test.');
    screen.getByRole('button', { name: 'Add without a test' });
  });

  test('when refused by the hub, shows the reason at the field', async () => {
    await show([], {
      [create]: () => ({
        status: 400,
        body: {
          code: 'validation',
          error: 'Invalid',
          details: [{ path: '/url', message: 'This is the hub itself.' }],
        },
      }),
    });
    fill(/^Address/, 'http://localhost:8080');
    press('Add without a test');
    await screen.findByText('This is the hub itself.');
    expect(href()).toBe(address);
  });
});

describe('the form of an existing source', () => {
  beforeEach(() => {
    address = '/sources?edit=3';
  });

  test('when saved, sends only the changes and never shows the password', async () => {
    const sent = await show([createSource()], { [change]: () => ({ body: createSource() }) });
    expect(field('Password').value).toBe('');
    screen.getByText(/A password is stored/);
    fill(/^Name/, 'Pond');
    press('Save');
    await waitFor(() => expect(href()).toBe('/sources'));
    expect(sent(change)).toEqual([{ name: 'Pond' }]);
  });

  test('with another address, asks for the password again', async () => {
    await show([createSource()]);
    fill(/^Address/, 'http://192.168.1.99:5000');
    screen.getByText(/the password must be entered again/);
    expect(screen.queryByText(/A password is stored/)).toBeNull();
  });

  test('with its password removed, sends null for it', async () => {
    const sent = await show([createSource()], { [change]: () => ({ body: createSource() }) });
    press('Remove: Password');
    screen.getByText(/will be removed when you save/);
    press('Save');
    await waitFor(() => expect(sent(change)).toEqual([{ password: null }]));
  });
});

describe('the list of sources', () => {
  test('with sources in different states, describes each in words', async () => {
    await show([
      createSource({ media_waiting: 4 }),
      createSource({ id: 4, name: 'Mic', kind: 'birdnet-go', state: 'error', message: 'The login failed.' }),
      createSource({ id: 5, name: 'New', state: 'connecting', last_contact_at: null, behind_seconds: null }),
    ]);
    const [first, second, third] = screen.getAllByRole('listitem', { name: /^(Frigate|Mic|New)$/ });
    expect(first?.textContent).toContain('Live');
    expect(first?.textContent).toContain('Last contact2 minutes ago');
    expect(first?.textContent).toContain('Last bird2 hours ago');
    expect(first?.textContent).toContain('BehindUp to date');
    expect(first?.textContent).toContain('Recordings to fetch4');
    await waitFor(() => expect(first?.textContent).toContain('birdcam → The garden'));
    expect(second?.textContent).toContain('The login failed.');
    expect(third?.textContent).toContain('Last contactNot yet');
    expect(third?.textContent).toContain('BehindUnknown');
  });

  test('after pausing and resuming a source, sends both changes', async () => {
    const sources = [createSource()];
    const sent = await show(sources, {
      [change]: (body) => {
        sources[0] = createSource({ enabled: false, state: 'paused', ...(body as object) });
        return { body: sources[0] as object };
      },
    });
    press('Pause: Frigate');
    fireEvent.click(await screen.findByRole('button', { name: 'Resume: Frigate' }));
    await screen.findByRole('button', { name: 'Pause: Frigate' });
    expect(sent(change)).toEqual([{ enabled: false }, { enabled: true }]);
  });

  test('when omitted items are requested, loads them and shows the reasons', async () => {
    const dropped = [
      {
        at: '2026-05-01T08:00:00Z',
        reason: 'English text',
        sentences: [{ code: 'frigate_label', values: { label: 'cat' } }],
        upstream_id: '1.5-ab',
      },
      {
        at: null,
        reason: 'Too unsure',
        sentences: [{ code: 'new_code', values: {} }],
        upstream_id: '1.6-cd',
      },
    ];
    const sent = await show([createSource()], {
      [detail]: () => ({ body: { ...createSource(), recordings: 2, dropped } }),
    });
    expect(sent(detail)).toHaveLength(0);
    press('Show what was left out: Frigate');
    await screen.findByText('The last 2 things that were left out');
    screen.getByText('Its label is cat, which is not among those of this source.');
    // A sentence unknown to this version of the page is shown in the words of the hub.
    screen.getByText('Too unsure');
    screen.getByText('Time unknown · 1.6-cd');
  });

  test('with a source just added, offers to import its history', async () => {
    address = '/sources?added=3';
    await show([createSource()]);
    screen.getByText('Frigate is connected');
    press('Import history');
    dialog().getByLabelText(/^Everything since/);
  });
});

describe('the removal of a source', () => {
  const removal = 'DELETE /api/ui/sources/3';
  const counted = () => ({ body: { ...createSource(), recordings: 4321, dropped: [] } });

  test('after confirmation, keeps its recordings by default', async () => {
    const urls: string[] = [];
    const sent = await show([createSource()], {
      [detail]: counted,
      [removal]: () => ({ body: { message: 'deleted' } }),
    });
    const { fetch: stub } = globalThis;
    vi.stubGlobal('fetch', (request: Request) => {
      urls.push(request.url);
      return stub(request);
    });
    press('Remove: Frigate');
    await dialog().findByText('4,321 recordings stay in Birdhub.');
    fireEvent.click(dialog().getByRole('button', { name: 'Remove source' }));
    await waitFor(() => expect(sent(removal)).toHaveLength(1));
    expect(urls.filter((url) => url.includes('data='))).toEqual([expect.stringContaining('data=keep')]);
  });

  test('together with its recordings, needs a second confirmation', async () => {
    const sent = await show([createSource()], {
      [detail]: counted,
      [removal]: () => ({ body: { message: 'deleted' } }),
    });
    press('Remove: Frigate');
    await dialog().findByText(/4,321 recordings with their visits and files are deleted/);
    fireEvent.click(dialog().getByLabelText('Delete recordings and visits too'));
    const act = dialog().getByRole('button', { name: 'Remove source and delete' }) as HTMLButtonElement;
    expect(act.disabled).toBe(true);
    fireEvent.click(dialog().getByLabelText('Yes, delete everything it brought'));
    fireEvent.click(act);
    await waitFor(() => expect(sent(removal)).toHaveLength(1));
  });
});

describe('the import of history', () => {
  const start = 'POST /api/ui/sources/3/import';

  test('when started, sends the chosen day and that files are left out', async () => {
    const sent = await show([createSource()], { [start]: () => ({ status: 202, body: { job_id: 7 } }) });
    press('Import history: Frigate');
    fireEvent.change(dialog().getByLabelText(/^Everything since/), { target: { value: '2026-01-01' } });
    fireEvent.click(dialog().getByLabelText('Leave them out'));
    fireEvent.click(dialog().getByRole('button', { name: 'Start import' }));
    await waitFor(() => expect(sent(start)).toEqual([{ since: '2026-01-01', media: 'none' }]));
  });

  test.each([
    ['', '', 'Choose a day.'],
    ['2999-01-01', '', 'This day is still to come.'],
    ['2026-01-02', '2026-01-01', 'Choose a day after the first one.'],
  ])('from “%s” until “%s”, is not started: %s', async (since, until, problem) => {
    const sent = await show([createSource()]);
    press('Import history: Frigate');
    fireEvent.change(dialog().getByLabelText(/^Everything since/), { target: { value: since } });
    fireEvent.change(dialog().getByLabelText('Until'), { target: { value: until } });
    fireEvent.click(dialog().getByRole('button', { name: 'Start import' }));
    await dialog().findByText(problem);
    expect(sent(start)).toEqual([]);
  });

  test('while running, shows its progress and can be paused', async () => {
    let job = createJob();
    const sent = await show([createSource()], {
      [jobs]: () => ({ body: { running: 1, total: 1, jobs: [job] } }),
      'POST /api/ui/system/jobs/7/pause': () => {
        job = createJob({ state: 'paused' });
        return { body: job };
      },
    });
    const panel = within(await screen.findByRole('region', { name: 'Importing' }));
    panel.getByText('250 of 1,000');
    expect(panel.getByText('Imported').parentElement?.textContent).toBe('Imported200');
    expect(panel.getByText('Already here').parentElement?.textContent).toBe('Already here38');
    expect(panel.getByText('Left out').parentElement?.textContent).toBe('Left out12');
    panel.getByText('12: Not a bird');
    press('Pause import');
    await screen.findByRole('region', { name: 'Import paused' });
    screen.getByRole('button', { name: 'Resume import' });
    expect(sent('POST /api/ui/system/jobs/7/pause')).toHaveLength(1);
  });

  test('when started during another import, names the other one', async () => {
    await show([createSource(), createSource({ id: 4, name: 'Microphone' })], {
      [jobs]: () => ({
        body: { running: 1, total: 1, jobs: [createJob({ parameters: { source_id: 4 } })] },
      }),
      [start]: () => ({ status: 409, body: { code: 'job_running', error: 'A job is running.' } }),
    });
    press('Import history: Frigate');
    fireEvent.click(dialog().getByRole('button', { name: 'Start import' }));
    const problem = await dialog().findByRole('alert');
    expect(problem.textContent).toMatch(/^The import of Microphone is still running\. Pause it/);
  });

  test('while paused, can be resumed or cancelled, even if a later one has ended', async () => {
    const paused = createJob({ state: 'paused' });
    const later = createJob({ job_id: 8, state: 'done', finished_at: '2026-05-01T08:01:00Z' });
    let listed = [later, paused];
    let isBusy = true;
    const sent = await show([createSource()], {
      [jobs]: () => ({ body: { running: 0, total: listed.length, jobs: listed } }),
      'POST /api/ui/system/jobs/7/resume': () => {
        if (isBusy) return { status: 409, body: { code: 'job_running', error: 'A job is running.' } };
        listed = [later, createJob()];
        return { body: {} };
      },
      'POST /api/ui/system/jobs/7/cancel': () => {
        listed = [later, createJob({ state: 'cancelled' })];
        return { body: {} };
      },
    });
    await screen.findByRole('region', { name: 'Import finished' });
    press('Resume import');
    await screen.findByText(/^Another import is running/);
    isBusy = false;
    press('Resume import');
    await screen.findByRole('region', { name: 'Importing' });
    press('Cancel import');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Importing' })).toBeNull());
    expect(sent('POST /api/ui/system/jobs/7/resume')).toHaveLength(2);
    expect(sent('POST /api/ui/system/jobs/7/cancel')).toHaveLength(1);
  });

  test('after a failure, shows the reason and no buttons', async () => {
    await show([createSource()], {
      [jobs]: () => ({
        body: {
          running: 0,
          total: 1,
          jobs: [
            createJob({
              state: 'error',
              error: 'Frigate cannot be reached.',
              finished_at: '2026-05-01T08:01:00Z',
            }),
          ],
        },
      }),
    });
    await screen.findByText('Import failed');
    screen.getByText('Frigate cannot be reached.');
    expect(screen.queryByRole('button', { name: /import$/ })).toBeNull();
  });
});
