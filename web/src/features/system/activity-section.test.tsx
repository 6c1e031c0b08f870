import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import { ActivitySection } from './activity-section';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const createDay = (date: string, given: object = {}) => ({
  date,
  visits: 0,
  recordings: 0,
  totalUptime: 0,
  ...given,
});

async function show(days: readonly object[], unique_visits = 3) {
  stubHub({
    'GET /api/ui/system/activity': () => ({ body: days }),
    'GET /api/ui/system/visitors': () => ({ body: { unique_visits, active_days: 1, period_days: 7 } }),
  });
  await renderPart(<ActivitySection />, { system: texts });
}

const charts = () =>
  screen.queryAllByRole('img').map((chart) => chart.getAttribute('aria-label')?.replace(/\..*/, ''));

describe('the daily activity', () => {
  test('in a month with visits and recordings, has a chart for each', async () => {
    await show([createDay('2026-05-01'), createDay('2026-05-02', { visits: 4, recordings: 5 })]);
    await screen.findByText('4 visits');
    await screen.findByText(/^3 visits in the last 7 days/);
    expect(charts()).toEqual(['4 visits', '5 recordings']);
  });

  test('in a month with sightings only, has a chart of visits only', async () => {
    await show([createDay('2026-05-01'), createDay('2026-05-02', { visits: 1 })]);
    await screen.findByText('0 recordings');
    expect(charts()).toEqual(['1 visit']);
  });

  test('in a month with nothing recorded, shows a message and no charts', async () => {
    await show([createDay('2026-05-01'), createDay('2026-05-02')], 0);
    await screen.findByText('Nothing was recorded in this month.');
    expect(charts()).toEqual([]);
    expect(screen.queryByText(/^0 /)).toBeNull();
  });
});
