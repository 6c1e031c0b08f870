import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render-part';
import components from '../texts/en.json';
import { ShareDialog } from './share-dialog';
import share from './texts/en.json';

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: string }) => <a href="/shares">{children}</a>,
}));

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

const show = () =>
  renderPart(
    <ShareDialog isOpen what={{ day: '2026-05-04' }} title="4 May" onClose={() => undefined} />,
    { share, components },
    { sharing_enabled: false },
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

  it('refused by the hub, shows the reason and cannot be sent', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ code: 'nothing_on_day', error: 'No bird came on this day.' }, { status: 404 }),
    );
    await show();
    await screen.findByText('No bird came on this day.');
    expect(sendButton().disabled).toBe(true);
  });
});
