import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { createHighlight } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import { PastDays } from './past-days';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('PastDays, with a year whose files are gone, shows its numbers, and best moments of the other year only', async () => {
  const createYear = (years_ago: number, highlights: object[]) => ({
    date: `${2026 - years_ago}-05-04`,
    years_ago,
    visits: 31,
    species: 9,
    highlights,
  });
  stubHub({
    'GET /api/ui/highlights/on-this-day': () => ({
      body: [createYear(1, []), createYear(2, [createHighlight()])],
    }),
  });
  await renderPart(<PastDays day="2026-05-04" />, { today: texts, components });
  const links = await screen.findAllByRole('link', { name: /ago/ });
  expect(links.map((link) => link.parentElement?.textContent)).toEqual([
    'A year ago: 9 species, 31 visits',
    '2 years ago: 9 species, 31 visits',
  ]);
  expect(links[0]?.getAttribute('href')).toBe('/timeline?date=2025-05-04');
  expect(screen.getAllByRole('list')).toHaveLength(1);
});
