import { cleanup, screen } from '@testing-library/react';
import { afterEach, test, vi } from 'vitest';
import { renderPart } from '../../testing/render-part';
import type { TimeRange } from './time-range';
import { useDayCounts } from './timeline-queries';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const dayMs = 86_400_000;
const days = ['2026-05-04', '2015-07-01', '2001-03-08'];

function Counts({ range }: { readonly range: TimeRange }) {
  const { counts, error } = useDayCounts(range, {});
  if (error !== null) return 'failed';
  return counts === undefined ? 'loading' : `Days: ${counts.map(({ day }) => day).join(' ')}.`;
}

test.each<TimeRange>([
  { kind: 'custom', from: '2001-03-08', to: '2026-05-04' },
  { kind: 'all', from: undefined, to: '2026-05-04' },
])('the counts of a range of more than 20 years ($kind), include its oldest day', async (range) => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    const [start, end] = ['start_time', 'end_time'].map((name) => Date.parse(query.get(name) ?? ''));
    if (start === undefined || end === undefined || end - start > 7_320 * dayMs)
      return Response.json({ code: 'invalid_request', error: 'Too long.' }, { status: 400 });
    const counted = days.map(Date.parse).filter((day) => day >= start && day < end);
    return Response.json(
      counted.toSorted().map((day) => ({ start: new Date(day).toISOString(), visits: 1, species: 1 })),
    );
  });
  await renderPart(<Counts range={range} />, {});
  await screen.findByText(`Days: ${days.join(' ')}.`);
});
