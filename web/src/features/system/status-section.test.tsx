import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import { StatusSection } from './status-section';
import { parts } from './system-figures';
import texts from './texts/en.json';

// Modules read the address of the page when they load.
vi.hoisted(() => {
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(
    'https://birds.example/',
  );
});
vi.mock('@tanstack/react-router', () => ({
  Link: ({ to, children }: Record<string, unknown>) => <a href={String(to)}>{children as string}</a>,
}));

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
