import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import app from '../../app/texts/en.json';
import components from '../../components/texts/en.json';
import { createVisit } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import sightings from '../sightings/texts/en.json';
import welcome from '../welcome/texts/en.json';
import texts from './texts/en.json';
import { TodayPage } from './today-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const createSource = (id: number, name: string, state: string) => ({
  id,
  name,
  kind: 'frigate',
  state,
  last_contact_at: null,
});

/** Renders Today for a state of the detector, without visits or with given ones. */
async function show(processor: string, sources: object[], visits: object[] = []) {
  const status = {
    processor,
    sources,
    storage: 'ok',
    processor_last_seen: null,
    timezone: 'UTC',
    units: 'metric',
    doubt_threshold: 0.5,
    app_name: 'Birdhub',
  };
  stubHub({
    'GET /api/ui/status': () => ({ body: status }),
    'GET /api/ui/timeline': () => ({ body: visits }),
  });
  await renderPart(<TodayPage />, { today: texts, app, components, sightings, welcome }, status);
  if (visits.length === 0) {
    await screen.findByRole('heading', { level: 2, name: /Welcome|No visitors yet|Still dark/ });
  }
}
const hrefsOf = (name: string) =>
  screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'));

describe('TodayPage without visits', () => {
  test('with nothing connected, shows a welcome and links to the setup and the sources', async () => {
    await show('unknown', []);
    screen.getByText('Welcome to your bird hub');
    expect(hrefsOf('Set up the hub')).toEqual(['/welcome']);
    expect(hrefsOf('Connect a source')).toEqual(['/sources']);
  });

  test('with a source, shows its state and no warning', async () => {
    await show('unknown', [createSource(1, 'Frigate', 'live'), createSource(2, 'Pond', 'paused')]);
    screen.getByText('No visitors yet today');
    await screen.findByText('Frigate: live');
    screen.getByText('Pond: paused');
    expect(screen.queryByText('No detector connected yet.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('with failing or silent sources, names them in warnings with a link', async () => {
    await show('ok', [
      createSource(1, 'Frigate', 'error'),
      createSource(2, 'Pond', 'error'),
      createSource(3, 'Mic', 'silent'),
      createSource(4, 'Fine', 'live'),
    ]);
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
    screen.getByText('These sources cannot be read: Frigate, Pond');
    screen.getByText('No bird from Mic for a day');
    expect(hrefsOf('Sources')).toContain('/sources');
    await screen.findByText('The detector is watching the feeder.');
  });
});

describe('the share button of Today', () => {
  const now = new Date().toISOString();
  const visit = createVisit({ start_time: now, end_time: now });
  const of = (species: Partial<typeof visit.species>) => ({
    ...visit,
    species: { ...visit.species, ...species },
  });

  test.each([
    ['a known bird', of({}), 1],
    ['a squirrel', of({ name: 'Red Squirrel', group: 'other_animal' }), 0],
    ['an unnamed bird', of({ name: 'Bird' }), 0],
  ] as const)('after a visit of %s, is shown %3$i times', async (_, item, count) => {
    await show('ok', [], [item]);
    await screen.findAllByText(/visit/i);
    expect(screen.queryAllByRole('button', { name: components.share })).toHaveLength(count);
  });
});
