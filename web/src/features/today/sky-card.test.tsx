import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import { SkyCard } from './sky-card';
import texts from './texts/de.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Renders the card in German. */
async function show(weather: object) {
  stubHub({
    'GET /api/ui/weather': () => ({
      body: { temp: 12, wind_speed: null, humidity: 0, stale: false, ...weather },
    }),
    'GET /api/ui/sun-times': () => ({ body: { sunrise: null, sunset: null } }),
  });
  await renderPart(<SkyCard day="2026-05-01" />, { today: texts }, {}, { language: 'de' });
}

describe('SkyCard', () => {
  test.each([
    ['Clear', 'Klar'],
    ['Hail', 'Hagel'],
    ['Wind', 'Windig'],
    ['Smoke', 'Staub oder Rauch'],
    ['Sand', 'Staub oder Rauch'],
    ['Squall', 'Sturm'],
    ['Tornado', 'Sturm'],
  ])('with the condition %s, shows "%s"', async (main, word) => {
    await show({ main, description: 'in English' });
    await screen.findByText(new RegExp(`^${word} ·`));
  });

  test.each(['Exceptional', null])(
    'with the condition %s, shows no word and no English description',
    async (main) => {
      await show({ main, description: 'exceptional' });
      await screen.findByText(/^Luftfeuchte/);
      expect(screen.queryByText(/exceptional/)).toBeNull();
    },
  );
});
