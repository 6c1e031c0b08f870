import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { summarizeDay } from '../../components/visits/summarize-day';
import { createVisit } from '../../testing/factories';
import { renderPart } from '../../testing/render-part';
import { Figures } from './figures';
import texts from './texts/en.json';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-04T12:00:00Z') });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Shows a Monday with one visit in a hub without visits on the Monday before. */
async function show(first_visit_date: string) {
  const none = {
    totalDetections: 0,
    uniqueSpecies: 0,
    videoDuration: 0,
    audioDuration: 0,
    avgVisitDuration: 0,
  };
  const one = {
    totalDetections: 1,
    uniqueSpecies: 1,
    videoDuration: 120,
    audioDuration: 0,
    avgVisitDuration: 120,
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const isOfToday = new URL(request.url).search === '';
    return Response.json({ stats: isOfToday ? one : none, first_visit_date });
  });
  const { queryClient } = await renderPart(
    <Figures day="2026-05-04" summary={summarizeDay([createVisit()], () => 8)} />,
    {
      today: texts,
    },
  );
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
}

describe('Figures, without a visit up to this time a week ago', () => {
  test('of a hub that had visits before, show the change, except for that of the average', async () => {
    await show('2026-04-27');
    screen.getByText('Compared with last Monday by this time');
    expect(screen.getAllByText(/ more than last Monday/)).toHaveLength(3);
  });

  test('of a hub whose first visit was later, show none', async () => {
    await show('2026-04-28');
    expect(screen.queryByText(/Monday/)).toBeNull();
  });
});
