import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { summarizeDay } from '../../components/visits/summarize-day';
import { createVisit } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import { DayGrid } from './day-grid';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('DayGrid, with more species than rows, shows all on request', async () => {
  const visits = Array.from({ length: 15 }, (_, index) =>
    createVisit({
      id: index + 1,
      species: { ...createVisit().species, id: index + 1, name: `Bird ${index}` },
    }),
  );
  stubHub({});
  const summary = summarizeDay(visits, () => 8);
  await renderPart(<DayGrid day="2026-05-04" summary={summary} />, { today: texts, components });
  expect(screen.getAllByRole('rowheader')).toHaveLength(12);
  fireEvent.click(await screen.findByRole('button', { name: 'Show all 15 species' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(15);
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getAllByRole('rowheader')[12]?.contains(document.activeElement)).toBe(true);
});

test('DayGrid, with visits, shows their numbers as links to them, with one tab stop', async () => {
  stubHub({});
  const visits = [8, 8, 17].map((hour, index) =>
    createVisit({ id: index + 1, start_time: `2026-05-04T${String(hour).padStart(2, '0')}:30:00Z` }),
  );
  const summary = summarizeDay(visits, (instant) => Number(String(instant).slice(11, 13)));
  await renderPart(<DayGrid day="2026-05-04" summary={summary} />, { today: texts, components });
  const [morning, evening] = screen.getAllByRole('cell').flatMap((cell) => [...cell.querySelectorAll('a')]);
  expect(morning?.textContent).toBe('2');
  expect(morning?.getAttribute('aria-label')).toBe('Great Tit, 8 AM–9 AM: 2 visits');
  expect(morning?.getAttribute('href')).toBe('/timeline?date=2026-05-04&species_id=1&hour=8');
  expect([morning?.tabIndex, evening?.tabIndex]).toEqual([0, -1]);
  morning?.focus();
  fireEvent.keyDown(morning as HTMLElement, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(evening);
});

test('DayGrid, with several species, moves by arrow keys to the nearest hour of the species above and below', async () => {
  stubHub({});
  const seen = [
    [1, 8],
    [1, 17],
    [2, 6],
    [2, 16],
  ] as const;
  const visits = seen.map(([species, hour], index) =>
    createVisit({
      id: index + 1,
      species: { ...createVisit().species, id: species, name: `Bird ${species}` },
      start_time: `2026-05-04T${String(hour).padStart(2, '0')}:30:00Z`,
    }),
  );
  const summary = summarizeDay(visits, (instant) => Number(String(instant).slice(11, 13)));
  await renderPart(<DayGrid day="2026-05-04" summary={summary} />, { today: texts, components });
  const focused = () => document.activeElement?.getAttribute('aria-label')?.replace(/–.*/, '');
  const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
  screen.getByLabelText(/^Bird 1, 5/).focus();
  press('ArrowDown');
  expect(focused()).toBe('Bird 2, 4 PM');
  press('ArrowLeft');
  expect(focused()).toBe('Bird 2, 6 AM');
  press('ArrowUp');
  expect(focused()).toBe('Bird 1, 8 AM');
  press('ArrowUp');
  expect(focused()).toBe('Bird 1, 8 AM');
});
