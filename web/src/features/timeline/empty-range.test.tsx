import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import app from '../../app/texts/en.json';
import components from '../../components/texts/en.json';
import { renderPart, stubHub } from '../../testing/render-part';
import { EmptyRange } from './empty-range';
import texts from './texts/en.json';

beforeEach(() => localStorage.setItem('birdhub.other-animals', JSON.stringify('hidden')));
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

/** Shows an empty range of a hub with visits of other animals. */
async function show(animalVisits: number) {
  stubHub({
    'GET /api/ui/timeline/buckets': () => ({
      body: animalVisits > 0 ? [{ start: '2026-05-04T00:00:00Z', visits: animalVisits }] : [],
    }),
    'GET /api/ui/system/activity': () => ({ body: [] }),
    'GET /api/ui/species': () => ({ body: [] }),
  });
  const range = { kind: 'all', from: undefined, to: '2026-05-04' } as const;
  await renderPart(<EmptyRange range={range} />, { timeline: texts, app, components });
}

describe('EmptyRange while other animals are hidden', () => {
  test('with visits of other animals, names the reason and shows them on request', async () => {
    await show(3);
    await screen.findByText(texts.only_animals);
    fireEvent.click(screen.getByRole('button', { name: texts.show_animals }));
    expect(localStorage.getItem('birdhub.other-animals')).toBe(JSON.stringify('shown'));
  });

  test('without any visits, says so', async () => {
    await show(0);
    await screen.findByText(texts.none_yet);
    expect(screen.queryByText(texts.only_animals)).toBeNull();
  });
});
