import { notificationsStore } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import today from '../today/texts/en.json';
import type { SettingGroup } from './setting-groups';
import { SettingsGroup } from './settings-group';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const settings = {
  general: {
    settings_password: '***',
    contributor_password: '',
    session_idle_minutes: 30,
    notification_excluded_species: ['Great Tit', 'Parus'],
  },
  weather: { source: 'open-meteo' },
  notifications: { quiet_hours_start: '', quiet_hours_end: '' },
  feed: { source: 'none', duration_seconds: 3, cooldown_seconds: 30 },
  detection: { min_confidence_to_store: 0.05, species_mapping: { Parus: 'Great Tit' } },
  visits: { gap_seconds: 60 },
  ui: { unknown_confidence_threshold: 0.5 },
  ebird: { species_mapping: { 'Great Tit': 'Cinereous Tit' } },
};

const change = 'PATCH /api/ui/settings';
const unlock = 'POST /api/ui/settings/verify-password';
const accepts: Replies = {
  [change]: () => ({ body: settings }),
  [unlock]: () => ({ body: { ok: true, role: 'admin' } }),
};

async function showGroup(group: SettingGroup, responses: Replies = accepts, language = 'en') {
  const { calls } = stubHub(responses);
  let storeElsewhere: (stored: typeof settings) => void = () => undefined;
  function Group() {
    const [stored, setStored] = useState(settings);
    storeElsewhere = setStored;
    return <SettingsGroup group={group} settings={stored} />;
  }
  await renderPart(<Group />, { settings: texts, components, today }, {}, { language });
  return {
    calls,
    storeElsewhere: (stored: typeof settings) => act(() => storeElsewhere(stored)),
    sent: () => calls.filter(([call]) => call === change).map(([, body]) => body),
  };
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const textOf = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;
const find = (name: string) => screen.queryByRole('button', { name });

describe('a group of settings', () => {
  test('for notifications, collapses the advanced fields and expands them when one is refused', async () => {
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

  test('with species, shows and takes their names in the language of the page, and sends the stored ones', async () => {
    const names = ['Great Tit', 'Eurasian Blue Tit'];
    const species = names.map((name, index) => ({ id: index + 1, name, group: 'bird', count: 1 }));
    const replies = { ...accepts, 'GET /api/ui/species': () => ({ body: species }) };
    const { sent } = await showGroup('notifications', replies, 'de');
    press('Advanced');
    // The names are loaded when they are first needed.
    await screen.findByText('Kohlmeise', {}, { timeout: 30_000 });
    screen.getByText('Parus');
    const field = screen.getByLabelText('Muted species', { selector: 'input' });
    fireEvent.change(field, { target: { value: 'blaum' } });
    fireEvent.click(await screen.findByRole('option', { name: 'Blaumeise', hidden: true }));
    press('Save');
    await waitFor(() =>
      expect(sent()).toEqual([
        { general: { notification_excluded_species: ['Great Tit', 'Parus', 'Eurasian Blue Tit'] } },
      ]),
    );
  });

  test('with decimals, shows and takes them as in the language of the page', async () => {
    const { sent } = await showGroup('visits', accepts, 'de');
    expect(textOf('Review below')).toBe('0,5');
    for (const typed of ['0,', '0', '0,', '0,6', '0,60', '0,605', '0,60', '0,6', '0,65']) {
      type('Review below', typed);
      expect(textOf('Review below')).toBe(typed);
    }
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ ui: { unknown_confidence_threshold: 0.65 } }]));
  });

  test('with the same option for units and time format, explains it for each of them', async () => {
    await showGroup('hub');
    fireEvent.click(screen.getByRole('combobox', { name: 'Units' }));
    await screen.findByText(texts['general.units.auto']);
    fireEvent.click(screen.getByRole('combobox', { name: texts['general.time_format.label'] }));
    await screen.findByText(texts['option.auto']);
  });

  test('without changes, offers nothing to save', async () => {
    await showGroup('access');
    expect(find('Save')).toBeNull();
  });

  test('with one value changed, sends only that one', async () => {
    const { sent } = await showGroup('visits');
    type('Visit gap', '90');
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ visits: { gap_seconds: 90 } }]));
    await waitFor(() => expect(find('Save')).toBeNull());
  });

  test('edited while it is saved, tells that it was saved and keeps the later edit', async () => {
    const { sent } = await showGroup('visits');
    const answer = fetch;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.stubGlobal('fetch', async (request: Request) => {
      await held;
      return answer(request);
    });
    type('Visit gap', '90');
    press('Save');
    await waitFor(() => expect(find('Save')?.hasAttribute('data-loading')).toBe(true));
    const field = screen.getByLabelText('Review below');
    type('Review below', '0.7');
    release();
    await waitFor(() => expect(sent()).toEqual([{ visits: { gap_seconds: 90 } }]));
    await waitFor(() =>
      expect(notificationsStore.getState().notifications.map(({ message }) => message)).toEqual([
        texts.saved,
      ]),
    );
    expect(textOf('Review below')).toBe('0.7');
    expect(screen.getByLabelText('Review below')).toBe(field);
    screen.getByText('1 unsaved change');
  });

  test('with a value the contract forbids, shows the problem at its field and cannot be saved', async () => {
    const { sent } = await showGroup('visits');
    type('Review below', '1.5');
    expect(screen.getByText('At most 1')).toBeTruthy();
    fireEvent.submit(screen.getByLabelText('Review below'));
    expect(sent()).toEqual([]);
  });

  test('with a value the hub refuses, shows the reason at its field and keeps the input', async () => {
    const path = '/general/contributor_password';
    const refusal = { error: 'no', code: 'invalid_request', details: [{ path, message: 'is alone' }] };
    await showGroup('access', { [change]: () => ({ status: 400, body: refusal }) });
    type('Contributor password', 'robin');
    press('Save');
    await screen.findByText(texts['general.contributor_password.refused']);
    expect(screen.getByRole('alert').textContent).toBe(texts.see_fields);
    expect(textOf('Contributor password')).toBe('robin');
  });

  test('when the hub fails, shows the error and keeps the input', async () => {
    await showGroup('visits', { [change]: () => ({ status: 503, body: { error: 'no', code: 'starting' } }) });
    type('Visit gap', '90');
    press('Save');
    expect((await screen.findByRole('alert')).textContent).toContain('start');
    expect(textOf('Visit gap')).toBe('90 seconds');
  });

  test('with changes discarded, shows the stored values again, including a mapping', async () => {
    await showGroup('visits');
    type('Visit gap', '90');
    type('Name in Birdhub', 'Coal Tit');
    expect(screen.getByText('2 unsaved changes')).toBeTruthy();
    press('Discard changes');
    expect(textOf('Visit gap')).toBe('60 seconds');
    expect(textOf('Name in Birdhub')).toBe('Great Tit');
    expect(find('Save')).toBeNull();
  });

  test('with secrets cleared by the hub, names them in a notification', async () => {
    const body = { ...settings, cleared_secrets: ['webhook.secret', 'feed.own_token'] };
    await showGroup('visits', { [change]: () => ({ body }) });
    type('Visit gap', '90');
    press('Save');
    const names = `${texts['webhook.secret.label']}, feed.own_token`;
    const message = texts.secrets_cleared.replace('{{names}}', names);
    const messages = () => notificationsStore.getState().notifications;
    await waitFor(() =>
      expect(messages()).toContainEqual(expect.objectContaining({ message, autoClose: false })),
    );
  });

  test('with tokens revoked by the hub, names them in a notification', async () => {
    const body = { ...settings, revoked_tokens: ['Script', 'Assistant'] };
    await showGroup('visits', { [change]: () => ({ body }) });
    type('Visit gap', '90');
    press('Save');
    const message = texts.tokens_revoked.replace('{{names}}', 'Script, Assistant');
    const messages = () => notificationsStore.getState().notifications;
    await waitFor(() =>
      expect(messages()).toContainEqual(expect.objectContaining({ message, autoClose: false })),
    );
  });

  test('with a name removed from a mapping, sends null for it', async () => {
    const { sent } = await showGroup('visits');
    press('Remove Parus');
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ detection: { species_mapping: { Parus: null } } }]));
  });

  test('with a mapping stored elsewhere while it is shown or edited, keeps the new names', async () => {
    const { sent, storeElsewhere } = await showGroup('visits');
    const store = (species_mapping: { Parus: string }) =>
      storeElsewhere({ ...settings, detection: { ...settings.detection, species_mapping } });
    store({ Parus: 'Great Tit', Pica: 'Magpie' } as { Parus: string });
    screen.getByDisplayValue('Magpie');
    press('Remove Parus');
    store({ Parus: 'Great Tit', Pica: 'Magpie', Sitta: 'Nuthatch' } as { Parus: string });
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ detection: { species_mapping: { Parus: null } } }]));
  });

  test('for eBird, names the columns of its mapping', async () => {
    await showGroup('ebird');
    expect([textOf('Name in Birdhub'), textOf('Name in eBird')]).toEqual(['Great Tit', 'Cinereous Tit']);
    expect(screen.queryByLabelText('Name from the detector')).toBeNull();
  });

  test('with a field that the choice does not need, hides it until it does', async () => {
    await showGroup('weather');
    expect(screen.queryByLabelText('OpenWeather API key')).toBeNull();
    fireEvent.click(screen.getByRole('combobox', { name: 'Source' }));
    fireEvent.click(await screen.findByText('OpenWeather'));
    expect(screen.getByLabelText('OpenWeather API key')).toBeTruthy();
  });

  test('with a feeder that is not set up, disables its button and gives the reason', async () => {
    await showGroup('feeder');
    expect((screen.getByRole('button', { name: 'Dispense now' }) as HTMLButtonElement).disabled).toBe(true);
    expect(screen.getByText(texts.feeder_none)).toBeTruthy();
  });
});

describe('a secret', () => {
  test('when typed and emptied again, stays unchanged', async () => {
    await showGroup('access');
    type('Admin password', 'wren');
    expect(find('Save')).not.toBeNull();
    type('Admin password', '');
    expect(find('Save')).toBeNull();
    type('Contributor password', 'robin');
    type('Contributor password', '');
    expect(find('Save')).toBeNull();
  });

  test('when removed and kept after all, stays unchanged', async () => {
    await showGroup('access');
    press('Remove: Admin password');
    expect(screen.getByText(texts.password_will_open)).toBeTruthy();
    press('Keep it: Admin password');
    expect(find('Save')).toBeNull();
  });

  test('when removed and saved, is sent as empty', async () => {
    const { sent, calls } = await showGroup('access');
    press('Remove: Admin password');
    press('Save');
    await waitFor(() => expect(sent()).toEqual([{ general: { settings_password: '' } }]));
    await waitFor(() => expect(find('Save')).toBeNull());
    expect(calls.map(([call]) => call)).not.toContain(unlock);
  });

  test('when it is the new admin password, keeps this browser unlocked', async () => {
    const { sent, calls } = await showGroup('access');
    type('Admin password', 'wren');
    expect(screen.getByText(texts.password_will_lock)).toBeTruthy();
    press('Save');
    await waitFor(() => expect(calls).toContainEqual([unlock, { password: 'wren' }]));
    expect(sent()).toEqual([{ general: { settings_password: 'wren' } }]);
  });
});
