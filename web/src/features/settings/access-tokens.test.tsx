import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { type Replies, renderPart, stubHub } from '../../testing/render-part';
import { AccessTokens } from './access-tokens';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const createToken = (given: object = {}) => ({
  id: 3,
  name: 'Detector',
  scopes: ['processor'],
  cameras: null,
  created_at: '2026-05-01T09:12:00.000Z',
  expires_at: null,
  last_used_at: null,
  last_used_address: null,
  ...given,
});

const list = 'GET /api/ui/tokens';
const create = 'POST /api/ui/tokens';
const secret = 'birdhub_jB6oNfVJ0nZbR3yQ5m1kXc8dWl2uTg7sHa9eKp4rYiE';

async function show(replies: Replies, isUnprotected = false, status: object = {}) {
  const cameras = [{ id: 'garden', name: 'The garden' }];
  const { calls } = stubHub({ 'GET /api/ui/cameras': () => ({ body: { cameras } }), ...replies });
  await renderPart(<AccessTokens isUnprotected={isUnprotected} />, { settings: texts, components }, status);
  return { calls, sent: (call: string) => calls.filter(([name]) => name === call).map(([, body]) => body) };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const dialog = () => within(screen.getByRole('dialog'));

/** Opens the dialog and fills in name and permission. */
async function fillIn() {
  await screen.findByText('No tokens yet.');
  press('Create token');
  fireEvent.change(dialog().getByLabelText('Name'), { target: { value: 'Display' } });
  fireEvent.click(dialog().getByLabelText('View everything'));
}

describe('the list of tokens', () => {
  test('with tokens, shows their permissions, cameras and last use', async () => {
    const used = {
      last_used_at: new Date(Date.now() - 120_000).toISOString(),
      last_used_address: '192.0.2.7',
    };
    await show({
      [list]: () => ({
        body: [
          createToken({ scopes: ['processor', 'read'], cameras: ['garden', 'pond'], ...used }),
          createToken({ id: 2, name: 'Old', scopes: ['admin'], expires_at: '2026-01-01T00:00:00Z' }),
        ],
      }),
    });
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first?.textContent).toContain('Send detections, View everything');
    await waitFor(() => expect(first?.textContent).toContain('Only cameras: The garden, pond'));
    expect(first?.textContent).toContain('Last used 2 minutes ago from 192.0.2.7');
    expect(first?.textContent).toContain('Does not expire');
    expect(second?.textContent).toContain('Expired');
    expect(second?.textContent).toContain('Never used');
  });

  test('without tokens on an unprotected hub, shows a message and a warning', async () => {
    await show({ [list]: () => ({ body: [] }) }, true);
    await screen.findByText('No tokens yet.');
    expect(screen.getByRole('alert').textContent).toContain('No admin password is set');
  });

  test('when loading fails, offers to try again', async () => {
    await show({ [list]: () => ({ status: 503, body: { code: 'starting', error: 'starting' } }) });
    await screen.findByRole('button', { name: 'Try again' });
  });
});

describe('a token', () => {
  test('when created, is sent as chosen and shown once with a copy button', async () => {
    const writeText = vi.fn(async () => undefined);
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as unknown as Clipboard);
    const { sent } = await show({
      [list]: () => ({ body: [] }),
      [create]: () => ({ status: 201, body: { id: 4, token: secret } }),
    });
    await screen.findByText('No tokens yet.');
    press('Create token');
    const form = dialog();
    const submit = form.getByRole('button', { name: 'Create token' }) as HTMLButtonElement;
    fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Display' } });
    expect(submit.disabled).toBe(true);
    fireEvent.click(form.getByLabelText('View everything'));
    expect(submit.disabled).toBe(false);
    fireEvent.change(form.getByLabelText('Valid'), { target: { value: '30' } });
    expect(form.queryByLabelText('Only for these cameras')).toBeNull();
    fireEvent.click(submit);
    expect(((await screen.findByLabelText('Token')) as HTMLInputElement).value).toBe(secret);
    const [body] = sent(create) as { expires_at: string }[];
    expect(body).toEqual({ name: 'Display', scopes: ['read'], expires_at: expect.any(String) });
    const days = (Date.parse(body?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    press('Copy');
    await screen.findByRole('button', { name: 'Copied' });
    expect(writeText).toHaveBeenCalledWith(secret);
    press('Done');
    await waitFor(() => expect(screen.queryByDisplayValue(secret)).toBeNull());
  });

  test('while it is created, keeps the dialog open until it is shown', async () => {
    await show({
      [list]: () => ({ body: [] }),
      [create]: () => ({ status: 201, body: { id: 4, token: secret } }),
    });
    await fillIn();
    const answer = fetch;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.stubGlobal('fetch', async (request: Request) => {
      if (request.method === 'POST') await held;
      return answer(request);
    });
    fireEvent.click(dialog().getByRole('button', { name: 'Create token' }));
    await waitFor(() =>
      expect(dialog().getByRole('button', { name: 'Close' })).toHaveProperty('disabled', true),
    );
    fireEvent.keyDown(dialog().getByLabelText('Name'), { key: 'Escape' });
    release();
    await screen.findByDisplayValue(secret);
    press('Done');
    press('Create token');
    expect(screen.getByRole('dialog', { name: 'Create token' })).toBeTruthy();
    expect((dialog().getByLabelText('Name') as HTMLInputElement).value).toBe('');
  });

  test('with a last day, expires at the end of that day in the zone of the hub', async () => {
    const { sent } = await show(
      {
        [list]: () => ({ body: [] }),
        [create]: () => ({ status: 201, body: { id: 4, token: secret } }),
      },
      false,
      { timezone: 'Pacific/Auckland' },
    );
    await fillIn();
    fireEvent.change(dialog().getByLabelText('Valid'), { target: { value: 'date' } });
    fireEvent.change(dialog().getByLabelText(texts['tokens.last_day']), { target: { value: '2030-06-01' } });
    fireEvent.click(dialog().getByRole('button', { name: 'Create token' }));
    await screen.findByDisplayValue(secret);
    expect(sent(create)).toMatchObject([{ expires_at: '2030-06-01T12:00:00.000Z' }]);
  });

  test('when refused by the hub, keeps the form and shows the reason', async () => {
    await show({
      [list]: () => ({ body: [] }),
      [create]: () => ({
        status: 409,
        body: { code: 'token_name_taken', error: 'There is a token of that name.' },
      }),
    });
    await screen.findByText('No tokens yet.');
    press('Create token');
    fireEvent.change(dialog().getByLabelText('Name'), { target: { value: 'Detector' } });
    fireEvent.click(dialog().getByLabelText('Dispense food'));
    fireEvent.click(dialog().getByRole('button', { name: 'Create token' }));
    expect((await screen.findByRole('alert')).textContent).toContain('There is a token of that name.');
    expect((dialog().getByLabelText('Name') as HTMLInputElement).value).toBe('Detector');
  });

  test('when revoked, is deleted only after confirmation', async () => {
    const revoke = 'DELETE /api/ui/tokens/3';
    let tokens = [createToken()];
    const { sent } = await show({
      [list]: () => ({ body: tokens }),
      [revoke]: () => {
        tokens = [];
        return { body: { message: 'success' } };
      },
    });
    const ask = async () => fireEvent.click(await screen.findByRole('button', { name: 'Revoke Detector' }));
    await ask();
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(sent(revoke)).toHaveLength(0);
    await ask();
    fireEvent.click(dialog().getByRole('button', { name: 'Revoke' }));
    await screen.findByText('No tokens yet.');
    expect(sent(revoke)).toHaveLength(1);
  });

  test('when revoking has failed, is asked about again without the old error', async () => {
    await show({ [list]: () => ({ body: [createToken()] }) });
    const ask = async () => fireEvent.click(await screen.findByRole('button', { name: 'Revoke Detector' }));
    await ask();
    fireEvent.click(dialog().getByRole('button', { name: 'Revoke' }));
    await screen.findByRole('alert');
    fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    await ask();
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});
