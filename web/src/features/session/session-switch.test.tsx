import { notificationsStore } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
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
