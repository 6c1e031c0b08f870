import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import { SetupCard } from './setup-card';
import today from './texts/en.json';

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function show(demo: object = { state: 'none' }) {
  stubHub({
    'GET /api/ui/demo': () => ({ body: demo }),
    'GET /api/ui/feed/info': () => ({ body: { feed_source: 'none' } }),
    'GET /api/ui/birdfood': () => ({ body: [] }),
    'GET /api/ui/sun-times': () => ({ body: { sunrise: '2026-05-04T04:00:00Z' } }),
  });
  return renderPart(
    <main tabIndex={-1}>
      <SetupCard day="2026-05-04" />
    </main>,
    { today },
    { processor: 'ok', sources: [] },
  );
}

describe('SetupCard', () => {
  it('with the place and the birds of the demo only, still offers to set up both', async () => {
    await show({ state: 'live', has_own_birds: false, has_own_place: false });
    await screen.findByText('Finish setting up (4)');
  });

  it('the step of the feeder, leads to its section of the settings', async () => {
    await show();
    const link = await screen.findByRole('link', { name: 'Set up an automatic feeder' });
    expect(link.getAttribute('href')).toBe('/settings#feeder');
  });

  it('with all open steps declined, is gone and stays so', async () => {
    await show();
    await screen.findByText('Finish setting up (2)');
    fireEvent.click(screen.getByRole('button', { name: 'I have none: Set up an automatic feeder' }));
    const card = screen.getByRole('region', { name: 'Finish setting up (1)' });
    expect(card.contains(document.activeElement)).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'I have none: Food on offer' }));
    expect(screen.queryByText(/Finish setting up/)).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('main'));
    cleanup();
    await show();
    await vi.waitFor(() => expect(screen.queryByText(/Finish setting up/)).toBeNull());
  });
});
