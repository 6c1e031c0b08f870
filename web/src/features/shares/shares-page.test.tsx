import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import share from '../../components/share/texts/en.json';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { SharesPage } from './shares-page';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const link = {
  id: 'abc',
  video_id: 7,
  day: null,
  t: null,
  expired: false,
  species: ['Great Tit', 'Eurasian Blue Tit'],
  start_time: '2026-05-03T08:15:00Z',
  created_at: '2026-05-04T10:00:00Z',
  expires_at: '2026-05-11T10:00:00Z',
};

test.each([
  [false, 1],
  [true, 0],
])(
  'the links, while sharing is allowed: %s, have %i notes that they show nothing',
  async (sharing_enabled, notes) => {
    stubHub({ 'GET /api/ui/shares': () => ({ body: [link] }) });
    await renderPart(<SharesPage />, { share, components }, { sharing_enabled });
    await screen.findByRole('button', { name: /^Revoke the link to/ });
    expect(screen.queryAllByText(share.links_off)).toHaveLength(notes);
  },
);

test('a link, when it is revoked, is deleted only after a confirmation', async () => {
  const { calls } = stubHub({
    'GET /api/ui/shares': () => ({ body: [link] }),
    'DELETE /api/ui/shares/abc': () => ({ body: {} }),
  });
  const deletions = () => calls.filter(([call]) => call.startsWith('DELETE')).length;
  await renderPart(<SharesPage />, { share, components });
  fireEvent.click(await screen.findByRole('button', { name: /^Revoke the link to/ }));
  const confirm = await screen.findByRole('button', { name: share.revoke });
  expect(deletions()).toBe(0);
  fireEvent.click(confirm);
  await waitFor(() => expect(deletions()).toBe(1));
});

test('a link to a recording, is named after its birds and its time and shows its picture', async () => {
  const dawn = { ...link, id: 'dawn', video_id: 8, species: [], start_time: '2026-05-04T04:00:00Z' };
  const day = { ...link, id: 'day', video_id: null, day: '2026-05-03', species: [], start_time: null };
  stubHub({ 'GET /api/ui/shares': () => ({ body: [link, dawn, day] }) });
  const { container } = await renderPart(<SharesPage />, { share, components });
  await screen.findByRole('button', {
    name: /^Revoke the link to Great Tit and Eurasian Blue Tit, May 3, 2026, 8:15\sAM$/,
  });
  const names = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(names).toEqual(['Great Tit and Eurasian Blue Tit', 'Recording 8', 'Sunday, May 3, 2026']);
  const pictures = [...container.querySelectorAll('img')].map(({ src }) => src);
  expect(pictures).toEqual([7, 8].map((id) => `https://birds.example/api/ui/videos/${id}/poster`));
});
