import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import components from '../../components/texts/en.json';
import { createVisit } from '../../testing/factories';
import { renderPart } from '../../testing/render-part';
import texts from './texts/en.json';
import { TimelineList } from './timeline-list';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('the timeline, while a part of it fails to load, says so and loads it on request', async () => {
  const visits = [
    createVisit({ id: 1, start_time: '2026-04-20T08:00:00Z' }),
    createVisit({ id: 2, start_time: '2026-05-04T08:00:00Z' }),
  ];
  let isAprilLoadable = false;
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    if (query.get('timeline_kind') !== 'visit') return Response.json([]);
    const isApril = query.get('start_time')?.startsWith('2026-05') === false;
    if (isApril && !isAprilLoadable)
      return Response.json(
        { error: 'Busy.', code: 'busy' },
        { status: 503, headers: { 'retry-after': '60' } },
      );
    return Response.json(visits.filter(({ id }) => id === (isApril ? 1 : 2)));
  });
  await renderPart(
    <TimelineList
      counts={[
        { day: '2026-05-04', visits: 1 },
        { day: '2026-04-20', visits: 1 },
      ]}
      range={{ from: '2026-04-20', to: '2026-05-04' }}
      day={undefined}
      filters={{}}
      offset={0}
      empty={null}
    />,
    { timeline: texts, components },
  );
  const loaded = () => document.querySelectorAll('[data-place] a').length;
  const retry = await screen.findByRole('button', { name: new RegExp(components.retry) });
  expect(screen.getByRole('alert').textContent).toContain('busy');
  await waitFor(() => expect(loaded()).toBeGreaterThan(0));
  const before = loaded();
  isAprilLoadable = true;
  fireEvent.click(retry);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(loaded()).toBeGreaterThan(before);
});

test('the timeline, open at midnight, no longer calls yesterday today', async () => {
  vi.stubGlobal('fetch', async () => Response.json([]));
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-05-04T20:00:00Z') });
  await renderPart(
    <TimelineList
      counts={[
        { day: '2026-05-04', visits: 1 },
        { day: '2026-05-03', visits: 1 },
      ]}
      range={{ from: '2026-05-03', to: '2026-05-04' }}
      day={undefined}
      filters={{}}
      offset={0}
      empty={null}
    />,
    { timeline: texts, components },
  );
  await screen.findByRole('heading', { name: texts.today });
  vi.setSystemTime(new Date('2026-05-05T04:00:00Z'));
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(screen.queryByRole('heading', { name: texts.today })).toBeNull();
  expect(screen.getAllByRole('heading')).toHaveLength(2);
});
