import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render-part';
import components from '../texts/en.json';
import { ShareDialog } from './share-dialog';
import share from './texts/en.json';

const shareNatively = vi.fn(async (_: ShareData) => undefined);

beforeEach(() => {
  Object.assign(navigator, { canShare: () => true, share: shareNatively });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  shareNatively.mockReset();
  Reflect.deleteProperty(navigator, 'canShare');
  Reflect.deleteProperty(navigator, 'share');
});

const show = (status: object = { sharing_enabled: false }) =>
  renderPart(
    <ShareDialog isOpen what={{ day: '2026-05-04' }} title="4 May" onClose={() => undefined} />,
    { share, components },
    status,
  );
const sendButton = () => screen.getByRole('button', { name: 'Send picture…' }) as HTMLButtonElement;

describe('the card of a day', () => {
  it('once loaded, is shared within the click', async () => {
    vi.stubGlobal('fetch', async () => new Response('png', { headers: { 'content-type': 'image/png' } }));
    await show();
    await waitFor(() => expect(sendButton().disabled).toBe(false));
    fireEvent.click(sendButton());
    expect(shareNatively.mock.calls[0]?.[0].files?.[0]?.name).toBe('birds-2026-05-04.png');
  });

  it('of a day without birds, shows the reason and offers neither downloads nor a public link', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ code: 'nothing_on_day', error: 'No bird came on this day.' }, { status: 404 }),
    );
    await show({ sharing_enabled: true });
    await screen.findByText('No bird came on this day.');
    expect(screen.queryByText(share.card_landscape)).toBeNull();
    expect(screen.queryByText(share.create)).toBeNull();
    screen.getByText(share.own_link);
  });

  it('refused for a while, offers another attempt instead of downloads, then shows the card', async () => {
    let isBusy = true;
    vi.stubGlobal('fetch', async () =>
      isBusy
        ? Response.json({ code: 'busy', error: '' }, { status: 429, headers: { 'retry-after': '30' } })
        : new Response('png', { headers: { 'content-type': 'image/png' } }),
    );
    await show();
    const retry = await screen.findByRole('button', { name: components.retry });
    expect(screen.queryByText(share.card_portrait)).toBeNull();
    isBusy = false;
    fireEvent.click(retry);
    await screen.findByRole('img', { name: 'Card of the day: 4 May' });
    screen.getByText(share.card_portrait);
  });
});
