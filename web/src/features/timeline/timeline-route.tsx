import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PageLoading } from '../../components/states';
import { Timeline } from './timeline';

const Review = lazy(() => import('../review/review').then((file) => ({ default: file.Review })));

const route = getRouteApi('/timeline');

/** A day, or what of some days is doubtful, one after the other. */
export function TimelineRoute() {
  const { review } = route.useSearch();
  if (review === undefined) return <Timeline />;
  return (
    <Suspense fallback={<PageLoading />}>
      <Review />
    </Suspense>
  );
}
