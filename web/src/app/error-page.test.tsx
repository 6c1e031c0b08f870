import { act, cleanup } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import components from '../components/texts/en.json';
import { renderPart } from '../testing/render-part';
import { ErrorPage } from './error-page';
import app from './texts/en.json';

const minuteMs = 60_000;
let isUp = false;
const reload = vi.fn();

beforeEach(() => {
  isUp = false;
  vi.useFakeTimers();
  vi.spyOn(window.location, 'reload').mockImplementation(reload);
  vi.stubGlobal('fetch', async () => {
    if (!isUp) throw new TypeError('unreachable');
    return new Response(null);
  });
});
afterEach(() => {
  cleanup();
  reload.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  window.history.replaceState(null, '', '/');
});

const show = async (path: string) => {
  window.history.replaceState(null, '', path);
  await renderPart(<ErrorPage error={new Error('failed')} reset={() => undefined} />, { app, components });
};
const wait = () => act(() => vi.advanceTimersByTimeAsync(minuteMs));

describe('ErrorPage', () => {
  test('on a wall display, reloads once the hub can be reached', async () => {
    await show('/wall');
    await wait();
    expect(reload).not.toHaveBeenCalled();
    isUp = true;
    await wait();
    expect(reload).toHaveBeenCalled();
  });

  test('on another page, does not reload by itself', async () => {
    isUp = true;
    await show('/timeline');
    await wait();
    expect(reload).not.toHaveBeenCalled();
  });
});
