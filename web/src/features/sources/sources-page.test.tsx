import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import { unlockRequests } from '../session/unlock';
import { SourcesPage } from './sources-page';
import texts from './texts/en.json';

// The address of the page is read when the parts of it are loaded.
const router = vi.hoisted(() => {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(
    'https://birds.example/',
  );
  return { search: {} as object, went: [] as unknown[] };
});
vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, search, hash, hashScrollIntoView: _, ...props }: Record<string, unknown>) => (
    <a href={`${to}${search ? `?${JSON.stringify(search)}` : ''}${hash ? `#${hash}` : ''}`} {...props}>
      {props['children'] as string}
    </a>
  ),
  useSearch: () => router.search,
  useNavigate: () => (target: unknown) => router.went.push(target),
}));

// The machine may be slow.
configure({ asyncUtilTimeout: 30_000 });

beforeEach(() => {
  router.search = {};
  router.went = [];
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const aSource = (given: object = {}) => ({
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

const aJob = (given: object = {}) => ({
  job_id: 7,
  kind: 'import',
  state: 'running',
  parameters: { source_id: 3, since: '2026-01-01T00:00:00Z', until: '2026-05-01T00:00:00Z', media: 'none' },
  progress: { processed: 250, total: 1000, generated: 200, failed: 0, skipped: 50, current_video_id: null },
  result: {
    generated: 200,
    failed: 0,
    skipped: 50,
    taken: 200,
    known: 38,
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
  await renderPart(<SourcesPage />, { sources: texts, components });
  await waitFor(() => expect(screen.queryByLabelText('Loading')).toBeNull());
  return (call: string) => calls.filter(([name]) => name === call).map(([, body]) => body);
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const dialog = () => within(screen.getByRole('dialog'));
const field = (label: string | RegExp) =>
  screen.getByLabelText(label, { selector: 'input' }) as HTMLInputElement;
const fill = (label: string | RegExp, value: string) => fireEvent.change(field(label), { target: { value } });

describe('a hub without sources', () => {
  test('asks where the birds come from, with a card for each program and the ways for all others', async () => {
    await show([]);
    screen.getByRole('heading', { name: 'Where do your birds come from?' });
    const cards = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    for (const kind of ['frigate', 'birdnet-go', 'birdnet-pi', 'ya-wamf', 'whosatmyfeeder']) {
      expect(cards).toContain(`/sources?{"add":"${kind}"}`);
    }
    expect(cards).toEqual(
      expect.arrayContaining(['/settings#webhooks', '/settings#mqtt', '/settings#access']),
    );
    expect(screen.queryByText('Your sources')).toBeNull();
  });

  test('that is locked, says so when the password is not entered, and does not ask for it again by itself', async () => {
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
    router.search = { add: 'frigate' };
  });

  test('without an address, says what is missing and sends nothing', async () => {
    const sent = await show([]);
    press('Add without a test');
    await screen.findByText('Needed');
    press('Test connection');
    expect([sent(create), sent(testing)]).toEqual([[], []]);
  });

  test('is tested before it is stored, shows the birds, and is added with the names of its cameras', async () => {
    const sent = await show([aSource()], {
      [testing]: () => ({ body: passed }),
      [create]: () => ({ status: 201, body: { id: 9 } }),
    });
    // The name of another source is taken.
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
    await waitFor(() => expect(router.went).toEqual([{ to: '/sources', search: { added: 9 } }]));
    expect(sent(create)).toEqual([
      expect.objectContaining({
        name: 'Frigate 2',
        options: expect.objectContaining({ cameras: { birdcam: 'garden' } }),
      }),
    ]);
  });

  test('a test that fails, names the stage with what is wrong, and those after it as not tested', async () => {
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

  test('that was changed since its test, says so', async () => {
    await show([], { [testing]: () => ({ body: passed }) });
    fill(/^Address/, 'http://192.168.1.20:5000');
    press('Test connection');
    await screen.findByText('Everything works');
    fill(/^Address/, 'http://192.168.1.21:5000');
    screen.getByText('You have changed something since this test.');
    screen.getByRole('button', { name: 'Add without a test' });
  });

  test('that the hub refuses, says why at the field', async () => {
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
    expect(router.went).toEqual([]);
  });
});

describe('the form of a source that exists', () => {
  beforeEach(() => {
    router.search = { edit: 3 };
  });

  test('never shows the password, and sends only what was changed', async () => {
    const sent = await show([aSource()], { [change]: () => ({ body: aSource() }) });
    expect(field('Password').value).toBe('');
    screen.getByText(/A password is stored/);
    fill(/^Name/, 'Pond');
    press('Save');
    await waitFor(() => expect(router.went).toEqual([{ to: '/sources' }]));
    expect(sent(change)).toEqual([{ name: 'Pond' }]);
  });

  test('with another address, asks for the password again', async () => {
    await show([aSource()]);
    fill(/^Address/, 'http://192.168.1.99:5000');
    screen.getByText(/the password must be entered again/);
    expect(screen.queryByText(/A password is stored/)).toBeNull();
  });

  test('removes the stored password when told to', async () => {
    const sent = await show([aSource()], { [change]: () => ({ body: aSource() }) });
    press('Remove: Password');
    screen.getByText(/will be removed when you save/);
    press('Save');
    await waitFor(() => expect(sent(change)).toEqual([{ password: null }]));
  });
});

describe('the list of sources', () => {
  test('says of each how it is doing, in words', async () => {
    await show([
      aSource({ media_waiting: 4 }),
      aSource({ id: 4, name: 'Mic', kind: 'birdnet-go', state: 'error', message: 'The login failed.' }),
      aSource({ id: 5, name: 'New', state: 'connecting', last_contact_at: null, behind_seconds: null }),
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

  test('a source, is paused and resumed', async () => {
    const sources = [aSource()];
    const sent = await show(sources, {
      [change]: (body) => {
        sources[0] = aSource({ enabled: false, state: 'paused', ...(body as object) });
        return { body: sources[0] as object };
      },
    });
    press('Pause: Frigate');
    fireEvent.click(await screen.findByRole('button', { name: 'Resume: Frigate' }));
    await screen.findByRole('button', { name: 'Pause: Frigate' });
    expect(sent(change)).toEqual([{ enabled: false }, { enabled: true }]);
  });

  test('what was left out, is read and shown with the reason when it is asked for', async () => {
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
    const sent = await show([aSource()], {
      [detail]: () => ({ body: { ...aSource(), recordings: 2, dropped } }),
    });
    expect(sent(detail)).toHaveLength(0);
    press('Show what was left out: Frigate');
    await screen.findByText('The last 2 things that were left out');
    screen.getByText('Its label is cat, which is not among those of this source.');
    // A sentence that this version of the page does not know is shown as the hub says it.
    screen.getByText('Too unsure');
    screen.getByText('Time unknown · 1.6-cd');
  });

  test('a source that was just added, offers what was before', async () => {
    router.search = { added: 3 };
    await show([aSource()]);
    screen.getByText('Frigate is connected');
    press('Import history');
    dialog().getByLabelText(/^Everything since/);
  });
});

describe('a source', () => {
  const removal = 'DELETE /api/ui/sources/3';
  const counted = () => ({ body: { ...aSource(), recordings: 4321, dropped: [] } });

  test('is removed after a question, and what it brought stays unless told otherwise', async () => {
    const urls: string[] = [];
    const sent = await show([aSource()], {
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

  test('is removed with what it brought only after a second question', async () => {
    const sent = await show([aSource()], {
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

  test('begins at the chosen day, without files when told so', async () => {
    const sent = await show([aSource()], { [start]: () => ({ status: 202, body: { job_id: 7 } }) });
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
    const sent = await show([aSource()]);
    press('Import history: Frigate');
    fireEvent.change(dialog().getByLabelText(/^Everything since/), { target: { value: since } });
    fireEvent.change(dialog().getByLabelText('Until'), { target: { value: until } });
    fireEvent.click(dialog().getByRole('button', { name: 'Start import' }));
    await dialog().findByText(problem);
    expect(sent(start)).toEqual([]);
  });

  test('that runs, shows how far it is, and can be paused', async () => {
    let job = aJob();
    const sent = await show([aSource()], {
      [jobs]: () => ({ body: { running: 1, total: 1, jobs: [job] } }),
      'POST /api/ui/system/jobs/7/pause': () => {
        job = aJob({ state: 'paused' });
        return { body: job };
      },
    });
    const panel = within(await screen.findByRole('region', { name: 'Importing' }));
    panel.getByText('250 of 1,000');
    expect(panel.getByText('Taken').parentElement?.textContent).toBe('Taken200');
    expect(panel.getByText('Already here').parentElement?.textContent).toBe('Already here38');
    expect(panel.getByText('Left out').parentElement?.textContent).toBe('Left out12');
    panel.getByText('12: Not a bird');
    press('Pause import');
    await screen.findByRole('region', { name: 'Import paused' });
    screen.getByRole('button', { name: 'Resume import' });
    expect(sent('POST /api/ui/system/jobs/7/pause')).toHaveLength(1);
  });

  test('that is started while another runs, says which one that is', async () => {
    await show([aSource(), aSource({ id: 4, name: 'Microphone' })], {
      [jobs]: () => ({
        body: { running: 1, total: 1, jobs: [aJob({ parameters: { source_id: 4 } })] },
      }),
      [start]: () => ({ status: 409, body: { code: 'job_running', error: 'A job is running.' } }),
    });
    press('Import history: Frigate');
    fireEvent.click(dialog().getByRole('button', { name: 'Start import' }));
    const problem = await dialog().findByRole('alert');
    expect(problem.textContent).toMatch(/^The import of Microphone is still running\. Pause it/);
  });

  test('that is paused, can go on or be cancelled, also when a later one has ended', async () => {
    const paused = aJob({ state: 'paused' });
    const later = aJob({ job_id: 8, state: 'done', finished_at: '2026-05-01T08:01:00Z' });
    let listed = [later, paused];
    let isAway = true;
    const sent = await show([aSource()], {
      [jobs]: () => ({ body: { running: 0, total: listed.length, jobs: listed } }),
      'POST /api/ui/system/jobs/7/resume': () => {
        if (isAway) return { status: 409, body: { code: 'job_running', error: 'A job is running.' } };
        listed = [later, aJob()];
        return { body: {} };
      },
      'POST /api/ui/system/jobs/7/cancel': () => {
        listed = [later, aJob({ state: 'cancelled' })];
        return { body: {} };
      },
    });
    await screen.findByRole('region', { name: 'Import finished' });
    press('Resume import');
    await screen.findByText(/^Another import is running/);
    isAway = false;
    press('Resume import');
    await screen.findByRole('region', { name: 'Importing' });
    press('Cancel import');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Importing' })).toBeNull());
    expect(sent('POST /api/ui/system/jobs/7/resume')).toHaveLength(2);
    expect(sent('POST /api/ui/system/jobs/7/cancel')).toHaveLength(1);
  });

  test('that failed, says why, and has no buttons of one that runs', async () => {
    await show([aSource()], {
      [jobs]: () => ({
        body: {
          running: 0,
          total: 1,
          jobs: [
            aJob({
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
