import { notificationsStore } from '@mantine/notifications';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import today from '../today/texts/en.json';
import type { SettingGroup } from './setting-groups';
import { SettingsGroup } from './settings-group';
import texts from './texts/en.json';

// The address of the page is read when the parts of it are loaded.
vi.hoisted(() => {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(
    'https://birds.example/',
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const settings = {
  general: { settings_password: '***', contributor_password: '', session_idle_minutes: 30 },
  weather: { source: 'open-meteo' },
  notifications: { quiet_hours_start: '', quiet_hours_end: '' },
  feed: { source: 'none', duration_seconds: 3, cooldown_seconds: 30 },
  detection: { min_confidence_to_store: 0.05, species_mapping: { Parus: 'Great Tit' } },
  visits: { gap_seconds: 60 },
  ui: { unknown_confidence_threshold: 0.5 },
};

const change = 'PATCH /api/ui/settings';
const unlock = 'POST /api/ui/settings/verify-password';
const accepts: Replies = {
  [change]: () => ({ body: settings }),
  [unlock]: () => ({ body: { ok: true, role: 'admin' } }),
};

async function showGroup(group: SettingGroup, responses: Replies = accepts) {
  const { calls } = stubHub(responses);
  const root = createRootRoute({ component: () => <SettingsGroup group={group} settings={settings} /> });
  const router = createRouter({ routeTree: root, history: createMemoryHistory() });
  await router.load();
  await renderPart(<RouterProvider router={router as never} />, { settings: texts, components, today });
  return { calls, sent: () => calls.filter(([call]) => call === change).map(([, body]) => body) };
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const textOf = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;
const find = (name: string) => screen.queryByRole('button', { name });

describe('a group of settings', () => {
  test('of notifications, folds the limits of all rules, and unfolds them when one is refused', async () => {
    const details = [{ path: '/notifications/quiet_hours_end', message: 'must be given' }];
    await showGroup('notifications', {
      [change]: () => ({ status: 400, body: { code: 'invalid_request', error: 'no', details } }),
    });
    const isOpen = () => find('Advanced')?.getAttribute('aria-expanded');
    expect(isOpen()).toBe('false');
    press('Advanced');
    type('Quiet hours start', '22:00');
    type('Quiet hours end', '06:00');
    press('Advanced');
    expect(isOpen()).toBe('false');
    press('Save');
    await waitFor(() => expect(isOpen()).toBe('true'));
  });

  test('nothing changed, offers nothing to save', async () => {
    await showGroup('access');
    expect(find('Save')).toBeNull();
  });

  test('one value changed and saved, sends that one alone', async () => {
    const { sent } = await showGroup('visits');
    type('Visit gap', '90');
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ visits: { gap_seconds: 90 } }]));
    await waitFor(() => expect(find('Save')).toBeNull());
  });

  test('a value the contract forbids, is told at its field and cannot be saved', async () => {
    const { sent } = await showGroup('visits');
    type('Review below', '1.5');
    expect(screen.getByText('At most 1')).toBeTruthy();
    fireEvent.submit(screen.getByLabelText('Review below'));
    expect(sent()).toEqual([]);
  });

  test('a value the hub refuses, is told in words at its field and stays to be mended', async () => {
    const path = '/general/contributor_password';
    const refusal = { error: 'no', code: 'invalid_request', details: [{ path, message: 'is alone' }] };
    await showGroup('access', { [change]: () => ({ status: 400, body: refusal }) });
    type('Contributor password', 'robin');
    press('Save');
    await screen.findByText(texts['general.contributor_password.refused']);
    expect(screen.getByRole('alert').textContent).toBe(texts.see_fields);
    expect(textOf('Contributor password')).toBe('robin');
  });

  test('a hub that fails, says so and keeps what was typed', async () => {
    await showGroup('visits', { [change]: () => ({ status: 503, body: { error: 'no', code: 'starting' } }) });
    type('Visit gap', '90');
    press('Save');
    expect((await screen.findByRole('alert')).textContent).toContain('start');
    expect(textOf('Visit gap')).toBe('90 seconds');
  });

  test('changes discarded, shows what is stored again, also of a mapping', async () => {
    await showGroup('visits');
    type('Visit gap', '90');
    type('Name in Birdhub', 'Coal Tit');
    expect(screen.getByText('2 unsaved changes')).toBeTruthy();
    press('Discard changes');
    expect(textOf('Visit gap')).toBe('60 seconds');
    expect(textOf('Name in Birdhub')).toBe('Great Tit');
    expect(find('Save')).toBeNull();
  });

  test('secrets that the hub cleared for another address, are named', async () => {
    const body = { ...settings, cleared_secrets: ['webhook.secret', 'feed.own_token'] };
    await showGroup('visits', { [change]: () => ({ body }) });
    type('Visit gap', '90');
    press('Save');
    const names = `${texts['webhook.secret.label']}, feed.own_token`;
    const message = texts.secrets_cleared.replace('{{names}}', names);
    const told = () => notificationsStore.getState().notifications;
    await waitFor(() =>
      expect(told()).toContainEqual(expect.objectContaining({ message, autoClose: false })),
    );
  });

  test('a name removed from a mapping, is removed by null', async () => {
    const { sent } = await showGroup('visits');
    press('Remove Parus');
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ detection: { species_mapping: { Parus: null } } }]));
  });

  test('what the choice makes needless, is out of sight until it is chosen', async () => {
    await showGroup('weather');
    expect(screen.queryByLabelText('OpenWeather API key')).toBeNull();
    fireEvent.click(screen.getByRole('combobox', { name: 'Source' }));
    fireEvent.click(await screen.findByText('OpenWeather'));
    expect(screen.getByLabelText('OpenWeather API key')).toBeTruthy();
  });

  test('a feeder that is not set up, cannot be tried and says why', async () => {
    await showGroup('feeder');
    expect((screen.getByRole('button', { name: 'Dispense now' }) as HTMLButtonElement).disabled).toBe(true);
    expect(screen.getByText(texts.feeder_none)).toBeTruthy();
  });
});

describe('a secret', () => {
  test('typed and emptied again, stays as it was', async () => {
    await showGroup('access');
    type('Admin password', 'wren');
    expect(find('Save')).not.toBeNull();
    type('Admin password', '');
    expect(find('Save')).toBeNull();
    type('Contributor password', 'robin');
    type('Contributor password', '');
    expect(find('Save')).toBeNull();
  });

  test('removed, is kept after all when somebody thinks better of it', async () => {
    await showGroup('access');
    press('Remove: Admin password');
    expect(screen.getByText(texts.password_will_open)).toBeTruthy();
    press('Keep it: Admin password');
    expect(find('Save')).toBeNull();
  });

  test('removed and saved, is sent as empty', async () => {
    const { sent, calls } = await showGroup('access');
    press('Remove: Admin password');
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ general: { settings_password: '' } }]));
    await waitFor(() => expect(find('Save')).toBeNull());
    expect(calls.map(([call]) => call)).not.toContain(unlock);
  });

  test('replaced that is the admin password, keeps this browser unlocked', async () => {
    const { sent, calls } = await showGroup('access');
    type('Admin password', 'wren');
    expect(screen.getByText(texts.password_will_lock)).toBeTruthy();
    press('Save');
    await waitFor(() => expect(calls).toContainEqual([unlock, { password: 'wren' }]));
    expect(sent()).toEqual([{ general: { settings_password: 'wren' } }]);
  });
});
