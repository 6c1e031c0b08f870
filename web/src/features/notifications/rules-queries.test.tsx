import { notificationsStore } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import { useChangeRule } from './rules-queries';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Disable() {
  const change = useChangeRule();
  return (
    <button type="button" onClick={() => change.mutate({ id: 1, enabled: false })}>
      Disable
    </button>
  );
}

test('useChangeRule, when refused, tells it', async () => {
  stubHub({
    'PATCH /api/ui/alert-rules/1': () => ({ status: 500, body: { code: 'internal', error: 'no' } }),
  });
  await renderPart(<Disable />, { notifications: texts });
  fireEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await waitFor(() => expect(notificationsStore.getState().notifications).toHaveLength(1));
});
