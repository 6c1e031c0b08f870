import { IconFeather, IconHelpHexagon, IconSun, IconTimeline } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';

/** Pages of the navigation that are tabs on a phone, in order. */
export const tabs = [
  { name: 'today', to: '/', icon: IconSun },
  { name: 'timeline', to: '/timeline', icon: IconTimeline },
  { name: 'review', to: '/timeline', search: { review: 1 }, icon: IconHelpHexagon },
  { name: 'species', to: '/species', icon: IconFeather },
] as const;

/** The other pages of the navigation, in order; their icons are loaded with the full list. */
export const otherPages = [
  { name: 'live', to: '/live' },
  { name: 'calendar', to: '/calendar' },
  { name: 'compare', to: '/compare' },
  { name: 'region', to: '/region' },
  { name: 'reports', to: '/reports' },
  { name: 'sources', to: '/sources' },
  { name: 'system', to: '/system' },
  { name: 'settings', to: '/settings' },
] as const;

type Destination = (typeof tabs | typeof otherPages)[number];

/** The destinations above pages whose addresses do not start like theirs, by the first part of those. */
const above: ReadonlyMap<string | undefined, string> = new Map([
  ['videos', '/timeline'],
  ['cameras', '/live'],
  ['shares', '/settings'],
  ['welcome', '/'],
]);

/** Returns whether a destination is the current page, or the page above it. */
export function useIsCurrent(): (page: Destination) => boolean {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  const isReview = 'review' in search && search.review === 1;
  const place = above.get(pathname.split('/')[1]) ?? pathname;
  return (page) => {
    if (page.to === '/') return place === '/';
    if (page.to !== '/timeline') return place.startsWith(page.to);
    return place === '/timeline' && (page.name === 'review') === isReview;
  };
}

/** Link properties of a destination. `exact`: else the link to the timeline would mark itself as current on the review. */
export const linkOf = (page: Destination) => ({
  to: page.to,
  ...('search' in page && { search: page.search }),
  activeOptions: { exact: true },
});
