import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { weekBeforeQuery } from './today-queries';

afterEach(() => void vi.unstubAllGlobals());

describe('weekBeforeQuery', () => {
  test.each([
    ['Monday', '2026-05-04T06:17:00Z', '2026-04-26T22:00:00.000Z', '2026-04-27T06:10:00.000Z'],
    ['Monday at midnight', '2026-05-03T22:03:00Z', '2026-04-26T22:00:00.000Z', '2026-04-26T22:10:00.000Z'],
    [
      'the day the clock is set forward',
      '2026-03-29T06:17:00Z',
      '2026-03-21T23:00:00.000Z',
      '2026-03-22T07:10:00.000Z',
    ],
    [
      'the day the clock is set back',
      '2026-10-25T07:17:00Z',
      '2026-10-17T22:00:00.000Z',
      '2026-10-18T06:10:00.000Z',
    ],
  ])('on %s, requests figures up to the same time of day', async (_, now, start, end) => {
    const addresses: string[] = [];
    vi.stubGlobal('fetch', async ({ url }: Request) => {
      addresses.push(url);
      return Response.json({});
    });
    const instant = new Date(now);
    const day = instant.toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
    await new QueryClient().fetchQuery(weekBeforeQuery(day, 'Europe/Berlin', instant));
    const { searchParams } = new URL(addresses[0] ?? '');
    expect([searchParams.get('start_time'), searchParams.get('end_time')]).toEqual([start, end]);
  });
});
