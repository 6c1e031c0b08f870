import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { AwaitedConfirmation, PurgeForm } from './clear-forms';
import system from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('PurgeForm, with another day chosen after the preview, deletes what was previewed', async () => {
  const preview = { deletedCount: 3, deletedSize: 1_000, keptFavorites: 0 };
  const { calls } = stubHub({ 'POST /api/ui/storage/purge': () => ({ body: preview }) });
  await renderPart(<PurgeForm />, { system, components });
  const day = screen.getByLabelText(system.purge_until);
  fireEvent.change(day, { target: { value: '2026-01-31' } });
  fireEvent.click(screen.getByRole('button', { name: system.purge_look }));
  await screen.findByText(/31 January 2026|January 31, 2026/);
  fireEvent.change(day, { target: { value: '2026-03-31' } });
  fireEvent.click(screen.getByLabelText(system.with_favorites));
  fireEvent.click(screen.getByRole('button', { name: system.clear_now }));
  await waitFor(() => expect(calls).toHaveLength(2));
  const chosen = { date: '2026-01-31', include_favorites: false };
  expect(calls.map(([, body]) => body)).toEqual([
    { ...chosen, dry_run: true, confirm: false },
    { ...chosen, dry_run: false, confirm: true },
  ]);
});

it('PurgeForm, while its dialog fades out, still shows what was previewed', async () => {
  const preview = { deletedCount: 3, deletedSize: 1_000, keptFavorites: 0 };
  stubHub({ 'POST /api/ui/storage/purge': () => ({ body: preview }) });
  // With transitions
  await renderPart(
    <MantineProvider env="default">
      <PurgeForm />
    </MantineProvider>,
    { system, components },
  );
  fireEvent.click(screen.getByRole('button', { name: system.purge_look }));
  fireEvent.click(await screen.findByRole('button', { name: system.cancel }));
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
  expect(screen.queryByText(system.nothing_to_clear)).toBeNull();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

const access = 'GET /api/ui/settings/check-access';
const retention = 'GET /api/ui/system/retention';

it('AwaitedConfirmation, after a run that requires one, says how much would be deleted', async () => {
  const awaiting_confirmation = { count: 1_200, total: 1_500 };
  stubHub({
    [access]: () => ({ body: { unlocked: true, role: 'admin' } }),
    [retention]: () => ({ body: { last_run: { awaiting_confirmation } } }),
  });
  await renderPart(<AwaitedConfirmation />, { system, components });
  expect((await screen.findByRole('alert')).textContent).toContain('(1,200 of 1,500)');
});

it.each([
  ['a visitor of a locked hub', { unlocked: false, role: null }],
  ['a contributor', { unlocked: true, role: 'contributor' }],
])('AwaitedConfirmation, for %s, asks neither the hub nor for the password', async (_name, body) => {
  const { calls } = stubHub({ [access]: () => ({ body }) });
  const { queryClient } = await renderPart(<AwaitedConfirmation />, { system, components });
  await waitFor(() => expect(calls).toEqual([[access, undefined]]));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(calls).toHaveLength(1);
});
