import { cleanup, screen } from '@testing-library/react';
import { afterEach, test, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import texts from './texts/en.json';
import { YearView } from './year-view';

const sightings = vi.hoisted(() => ({ current: null as object | null }));
vi.mock('../../lib/species-list', () => ({ useSightings: () => sightings.current }));
vi.mock('@tanstack/react-router', () => ({ Link: () => <a href="/">Today</a> }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ['with visits in other years, says so', { first: '2026-05-04', last: '2026-05-04' }, 'No visits in 2019'],
  ['on a hub without visits, says that there are no birds yet', null, texts.empty],
])('a year without visits, %s', async (_name, range, text) => {
  sightings.current = range;
  stubHub({ 'GET /api/ui/phenology': () => ({ body: { year: 2019, species: [], accumulation: [] } }) });
  await renderPart(<YearView year={2019} />, { calendar: texts });
  await screen.findByText(text);
});
