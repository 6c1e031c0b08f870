import { notificationsStore } from '@mantine/notifications';
import { QueryObserver } from '@tanstack/react-query';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { hub, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { unlockRequests } from '../../api/unlock';
import { renderPart, stubHub } from '../../testing/render-part';
import { SessionSwitch } from './session-switch';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('SessionSwitch, when locking fails, tells it', async () => {
  stubHub({
    'POST /api/ui/settings/logout': () => ({ status: 500, body: { code: 'internal', error: 'no' } }),
  });
  await renderPart(<SessionSwitch access={{ unlocked: true, role: 'admin' } as never} />, { session: texts });
  fireEvent.click(screen.getByRole('button', { name: texts.lock }));
  await waitFor(() => expect(notificationsStore.getState().notifications).toHaveLength(1));
});

test('SessionSwitch, when locked, drops what needs the password without asking for it', async () => {
  let isLocked = false;
  stubHub({
    'POST /api/ui/settings/logout': () => {
      isLocked = true;
      return { body: {} };
    },
    'GET /api/ui/settings': () =>
      isLocked
        ? { status: 403, body: { code: 'unlock_required', error: 'Unlock.' } }
        : { body: { secret: 1 } },
    'GET /api/ui/status': () => ({ body: { app_name: 'Birdhub' } }),
  });
  const queryFn = () => unwrap(hub.GET('/api/ui/settings'));
  const settings = new QueryObserver(queryClient, { queryKey: ['settings'], queryFn });
  const unsubscribe = settings.subscribe(() => undefined);
  queryClient.setQueryData(['tokens'], ['token']);
  const status = new QueryObserver(queryClient, {
    queryKey: ['status'],
    queryFn: () => unwrap(hub.GET('/api/ui/status')),
  });
  const unsubscribeStatus = status.subscribe(() => undefined);
  await waitFor(() => expect(settings.getCurrentResult().data).toEqual({ secret: 1 }));
  await renderPart(<SessionSwitch access={{ unlocked: true, role: 'admin' } as never} />, { session: texts });
  fireEvent.click(screen.getByRole('button', { name: texts.lock }));
  await waitFor(() =>
    expect(settings.getCurrentResult()).toMatchObject({ data: undefined, status: 'error' }),
  );
  expect(unlockRequests.current()).toBeUndefined();
  expect(queryClient.getQueryData(['tokens'])).toBeUndefined();
  expect(status.getCurrentResult().data).toEqual({ app_name: 'Birdhub' });
  unsubscribe();
  unsubscribeStatus();
});
