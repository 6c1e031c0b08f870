import { useRouterState } from '@tanstack/react-router';
import type { Destination } from './navigation';

/** Tells which place of the navigation the page is. */
export function useIsHere(): (place: Destination) => boolean {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  const isReview = 'review' in search && search.review === 1;
  return (place) => {
    if (place.to === '/') return pathname === '/';
    if (place.to === '/timeline') return pathname === '/timeline' && 'search' in place === isReview;
    return pathname.startsWith(place.to);
  };
}

/** Where a place of the navigation leads. */
export const linkOf = (place: Destination) =>
  'search' in place ? { to: place.to, search: place.search } : { to: place.to };
