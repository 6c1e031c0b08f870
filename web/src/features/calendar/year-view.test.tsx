import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createSpecies } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import texts from './texts/en.json';
import { YearView } from './year-view';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ['with visits in other years, says so', '2026-05-04T08:00:00Z', 'No visits in 2019'],
  ['on a hub without visits, says that there are no birds yet', null, texts.empty],
])('a year without visits, %s', async (_name, sighting, text) => {
  const timeRange = { first_sighting: sighting, last_sighting: sighting };
  stubHub({
    'GET /api/ui/phenology': () => ({ body: { year: 2019, species: [], accumulation: [] } }),
    'GET /api/ui/species': () => ({ body: [createSpecies({ name: 'Birds' })] }),
    'GET /api/ui/species/1/summary': () => ({ body: { stats: { timeRange } } }),
  });
  const { queryClient } = await renderPart(<YearView year={2019} />, { calendar: texts });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  screen.getByText(text);
});

test('a year after one whose first bird came in autumn, is compared with a curve that starts then', async () => {
  const wren = { id: 1, name: 'Wren', visits: 1, weeks: [], stays: [], first_date: '2019-01-01' };
  const replies = [
    { year: 2019, species: [wren], accumulation: [{ date: '2019-01-01', species: 1 }] },
    { year: 2018, species: [], accumulation: [{ date: '2018-10-01', species: 1 }] },
  ];
  stubHub({ 'GET /api/ui/phenology': () => ({ body: replies.shift() ?? {} }) });
  const { queryClient } = await renderPart(<YearView year={2019} />, { calendar: texts });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  const start = /^M([\d.]+)/.exec(document.querySelector('path')?.getAttribute('d') ?? '')?.[1];
  expect(Number(start)).toBeGreaterThan(700);
});
