import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hub } from '../../api/client';
import { reportUnlock, unlockRequests } from '../../api/unlock';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import texts from './texts/en.json';
import { UnlockDialog } from './unlock-dialog';

afterEach(() => {
  unlockRequests.current()?.settle(false);
  cleanup();
  vi.unstubAllGlobals();
});

/** Reading the contract takes long on a slow machine. */
const waitOptions = { timeout: 60_000 };
const locked = () => ({ status: 403, body: { error: 'Unlock the hub first.', code: 'unlock_required' } });
const species = { params: { path: { id: 7 } }, body: { name: 'Tit' } };
const detection = { params: { path: { id: 7 } } };

describe('a call to a locked hub', () => {
  it.each([
    ['reading the settings', () => hub.GET('/api/ui/settings'), 'admin'],
    ['editing a species', () => hub.PATCH('/api/ui/species/{id}', species), 'admin'],
    ['dispensing food', () => hub.POST('/api/ui/feed/dispense'), 'admin'],
    ['confirming a detection', () => hub.POST('/api/ui/detections/{id}/confirm', detection), 'contributor'],
  ] as const)('%s, asks for the password of the required role', async (_, call, role) => {
    vi.stubGlobal('fetch', async () => Response.json(locked().body, { status: 403 }));
    void call();
    await waitFor(() => expect(unlockRequests.current()?.role).toBe(role), waitOptions);
  });

  it('rejected while the browser is unlocked without the dialog, is repeated and asks for nothing', async () => {
    let isLocked = true;
    vi.stubGlobal('fetch', async () => {
      if (!isLocked) return Response.json({ general: {} });
      isLocked = false;
      reportUnlock();
      return Response.json(locked().body, { status: 403 });
    });
    expect((await hub.GET('/api/ui/settings')).response.status).toBe(200);
    expect(unlockRequests.current()).toBeUndefined();
  });

  it('when one goes back, is rejected and asks no longer', async () => {
    stubHub({ 'GET /api/ui/settings': locked });
    const answer = hub.GET('/api/ui/settings');
    await waitFor(() => expect(unlockRequests.current()).toBeDefined(), waitOptions);
    await renderPart(<UnlockDialog />, { session: texts, components });
    fireEvent.popState(window);
    expect((await answer).response.status).toBe(403);
    expect(unlockRequests.current()).toBeUndefined();
  });

  it('with the contributor password instead of the admin one, shows an error and accepts the right one', async () => {
    let isAdmin = false;
    const { calls } = stubHub({
      'GET /api/ui/settings': () => (isAdmin ? { body: { general: {} } } : locked()),
      'POST /api/ui/settings/verify-password': (sent) => {
        isAdmin = JSON.stringify(sent).includes('right');
        return { body: { ok: true, role: isAdmin ? 'admin' : 'contributor' } };
      },
    });
    const answer = hub.GET('/api/ui/settings');
    await waitFor(() => expect(unlockRequests.current()).toBeDefined(), waitOptions);
    await renderPart(<UnlockDialog />, { session: texts, components });
    await screen.findByText(texts.why_admin);
    const tryWith = (password: string) => {
      fireEvent.change(screen.getByLabelText(texts.password), { target: { value: password } });
      fireEvent.click(screen.getByRole('button', { name: texts.unlock }));
    };
    tryWith('of contributors');
    await screen.findByText(texts.admin_only);
    expect(unlockRequests.current()).toBeDefined();
    tryWith('right');
    expect((await answer).response.status).toBe(200);
    expect(calls.filter(([call]) => call === 'GET /api/ui/settings')).toHaveLength(2);
  });

  it('that is not unlocked, returns the focus to what had it', async () => {
    stubHub({ 'GET /api/ui/settings': locked });
    const opener = document.body.appendChild(document.createElement('button'));
    opener.focus();
    void hub.GET('/api/ui/settings');
    await waitFor(() => expect(unlockRequests.current()).toBeDefined(), waitOptions);
    await renderPart(<UnlockDialog />, { session: texts, components });
    screen.getByLabelText(texts.password).focus();
    fireEvent.click(screen.getByRole('button', { name: texts.close }));
    await waitFor(() => expect(document.activeElement).toBe(opener));
    opener.remove();
  });
});
