import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { StatusSection } from './status-section';
import { parts } from './system-figures';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('StatusSection, with sources, shows the state of each and what to do', async () => {
  const createSource = (id: number, name: string, state: string) => ({ id, name, kind: 'frigate', state });
  const status = {
    ...Object.fromEntries(parts.map((part) => [part, 'ok'])),
    sources: [
      createSource(1, 'Frigate', 'live'),
      createSource(2, 'Pond', 'error'),
      createSource(3, 'Mic', 'silent'),
    ],
    processor_last_seen: null,
  };
  stubHub({ 'GET /api/ui/status': () => ({ body: status }) });
  await renderPart(<StatusSection />, { system: texts }, status);
  const links = screen.getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Frigate', '/sources'],
    ['Pond', '/sources'],
    ['Mic', '/sources'],
  ]);
  screen.getByText('Live');
  screen.getByText(/Test its connection on the Sources page/);
  screen.getByText(/No bird for a day/);
});

test('StatusSection, when the detector is to be restarted, asks first', async () => {
  const status = {
    ...Object.fromEntries(parts.map((part) => [part, 'ok'])),
    sources: [],
    processor_last_seen: '2026-05-04T10:00:00Z',
    processor_restart_pending: false,
  };
  const { calls } = stubHub({
    'GET /api/ui/status': () => ({ body: status }),
    'POST /api/ui/restart-processor': () => {
      status.processor_restart_pending = true;
      return { body: { message: '' } };
    },
  });
  const restarts = () => calls.filter(([call]) => call === 'POST /api/ui/restart-processor');
  await renderPart(<StatusSection />, { system: texts, components }, status);
  const button = screen.getByRole('button', { name: texts.restart });
  button.focus();
  fireEvent.click(button);
  const dialog = await screen.findByRole('dialog');
  expect(restarts()).toHaveLength(0);
  fireEvent.click(within(dialog).getByRole('button', { name: texts.restart }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(restarts()).toHaveLength(1);
  await waitFor(() => expect(button.textContent).toBe(texts.restart_pending));
  await waitFor(() => expect(document.activeElement).toBe(button));
  fireEvent.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});
