import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { emitLiveEvent } from '../../api/live/live-events';
import app from '../../app/texts/en.json';
import components from '../../components/texts/en.json';
import { createUnknown } from '../../testing/factories';
import { renderPart, stubHub } from '../../testing/render-part';
import { ReviewPage } from './review-page';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = (search = '') =>
  renderPart(
    <ReviewPage />,
    { review: texts, app, components },
    {},
    { address: `/timeline?review=1${search}` },
  );

test('a review at midnight, keeps its period', async () => {
  const { calls } = stubHub({ 'GET /api/ui/unknowns': () => ({ body: [] }) });
  vi.useFakeTimers({
    toFake: ['Date', 'setInterval', 'clearInterval'],
    now: new Date('2026-05-04T23:59:50Z'),
  });
  await show();
  await screen.findByText(texts.none_yet);
  const before = calls.length;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await screen.findByText(texts.none_yet);
  expect(calls.slice(before)).toEqual([]);
});

test('a review with a last day only, is of the days until then', async () => {
  stubHub({ 'GET /api/ui/unknowns': () => ({ body: [] }) });
  await show('&to=2026-04-10');
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: texts.period }).value).toBe('2026-04-10');
});

test('a new recording, is reviewed once the queue is empty', async () => {
  const body: object[] = [];
  const { calls } = stubHub({ 'GET /api/ui/unknowns': () => ({ body }) });
  await show();
  await screen.findByText(texts.none_yet);
  body.push(createUnknown(1));
  act(() => emitLiveEvent({ name: 'recording', data: {} }));
  await screen.findByText('Great Tit?');
  const countCalls = () => calls.filter(([call]) => call === 'GET /api/ui/unknowns').length;
  const before = countCalls();
  await act(async () => {
    emitLiveEvent({ name: 'recording', data: {} });
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(countCalls()).toBe(before);
});
