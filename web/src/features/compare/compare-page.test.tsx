import { onlineManager } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { renderPart } from '../../testing/render-part';
import { ComparePage } from './compare-page';
import type { CompareSearch } from './compare-search';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
});

const daysIn = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

const createPeriod = (start_date: string, end_date: string) => {
  const days = Array.from({ length: daysIn(start_date, end_date) }, (_, index) => index + 1);
  return { start_date, end_date, visits: 10, species: 1, days, hours: Array.from({ length: 24 }, () => 0) };
};

/** Answers with the periods of the request, except that only the first request is answered if `isOnce`. */
function stubComparison({ isOnce = false } = {}): void {
  let calls = 0;
  vi.stubGlobal('fetch', ({ url }: Request) => {
    calls += 1;
    if (isOnce && calls > 1) return navigatorOffline();
    const of = (name: string) => new URL(url).searchParams.get(name) ?? '';
    const great = { id: 1, name: 'Great Tit', scientific_name: null, image_url: null };
    return Promise.resolve(
      Response.json({
        periods: [
          createPeriod(of('start_date'), of('end_date')),
          createPeriod(of('other_start_date'), of('other_end_date')),
        ],
        species: [{ ...great, visits: [10, 10], hours: [[], []] }],
      }),
    );
  });
}
const navigatorOffline = () => Promise.reject(new TypeError('Failed to fetch'));

async function show(search: CompareSearch) {
  const address = `/compare?${new URLSearchParams({ ...search })}`;
  await renderPart(<ComparePage />, { compare: texts, components }, {}, { address });
  await screen.findByText('Great Tit');
}

const chosen = { from: '2026-05-01', to: '2026-05-02', other_from: '2026-03-01', other_to: '2026-03-03' };

describe('ComparePage', () => {
  test('with a longer second period, links its last days to themselves', async () => {
    stubComparison();
    await show(chosen);
    const days = screen.getAllByRole('link').filter((link) => link.getAttribute('href')?.includes('date='));
    expect(days.map((link) => [link.getAttribute('href'), link.getAttribute('aria-label')])).toEqual([
      ['/timeline?date=2026-05-01', 'May 1: 1; Mar 1: 1'],
      ['/timeline?date=2026-05-02', 'May 2: 2; Mar 2: 2'],
      ['/timeline?date=2026-03-03', 'Mar 3: 3'],
    ]);
  });

  test('with today in a period, says that today is not over', async () => {
    stubComparison();
    const today = new Date().toISOString().slice(0, 10);
    await show({ ...chosen, from: today, to: today });
    screen.getByText(texts.today_so_far);
    cleanup();
    await show(chosen);
    expect(screen.queryByText(texts.today_so_far)).toBeNull();
  });

  test('with the visits of a species, names its bars after species, period and visits', async () => {
    stubComparison({});
    await show(chosen);
    const bars = await screen.findAllByRole('link', { name: /^Great Tit, Ma[yr] \d.*, Visits: \d+$/ });
    expect(bars).toHaveLength(2);
  });

  test('while other periods load, names the periods that the numbers are of', async () => {
    stubComparison({ isOnce: true });
    await show(chosen);
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    fireEvent.click(screen.getByRole('button', { name: texts.preset_year }));
    await vi.waitFor(() => expect(document.querySelector('[aria-busy="true"]')).not.toBeNull());
    screen.getByText(/May 1\D+2/);
  });

  test('offline after another choice, shows a failure instead of numbers of other periods', async () => {
    stubComparison({ isOnce: true });
    await show(chosen);
    act(() => onlineManager.setOnline(false));
    fireEvent.click(screen.getByRole('button', { name: texts.preset_year }));
    await screen.findByRole('alert');
    expect(screen.queryByText('Great Tit')).toBeNull();
  });
});
