import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import type { Unknown } from './review-queue';
import { lastPart, partBefore, type ReviewWindow, windowBefore } from './review-window';

const batchSize = 500;

function nextWindow(batch: readonly Unknown[], window: ReviewWindow): ReviewWindow | undefined {
  const oldest = batch.at(-1);
  if (batch.length < batchSize || oldest === undefined) return undefined;
  const next = windowBefore(window, oldest.start_time);
  return next.end_time === window.end_time ? undefined : next;
}

/** Detections to review, newest first, in batches by part of the window. The queue keeps them. */
export const batchesQuery = (window: ReviewWindow) =>
  infiniteQueryOptions({
    queryKey: ['review', window],
    initialPageParam: lastPart(window),
    queryFn: ({ pageParam, signal }) => {
      const params = { query: { ...pageParam, limit: batchSize } };
      return unwrap(hub.GET('/api/ui/unknowns', { params, signal }));
    },
    getNextPageParam: (batch, _batches, last) => nextWindow(batch, last) ?? partBefore(window, last),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });

/** The visit of a detection, or null. */
export const visitQuery = ({ id, start_time, end_time }: Unknown) =>
  queryOptions({
    queryKey: ['timeline', 'visit-of', id],
    queryFn: async ({ signal }) => {
      const end = new Date(Date.parse(end_time) + 1).toISOString();
      const params = { query: { start_time, end_time: end } };
      const items = await unwrap(hub.GET('/api/ui/timeline', { params, signal }));
      return items.find(({ detections }) => detections.some((one) => one.id === id)) ?? null;
    },
  });

/** Visits by species and month over all years: all of them, or only those with video. */
export const seasonsQuery = (evidence: 'all' | 'video') =>
  queryOptions({
    queryKey: ['calendar', 'seasons', evidence],
    queryFn: async ({ signal }) => {
      const query = evidence === 'video' ? { evidence } : {};
      return (await unwrap(hub.GET('/api/ui/migration-calendar', { params: { query }, signal }))).species;
    },
    staleTime: 600_000,
  });
