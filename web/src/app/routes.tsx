import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { calendarSearch } from '../calendar/calendar-search';
import { recordingSearch } from '../recording/recording-search';
import { reportSearch } from '../reports/report-search';
import { gallerySearch } from '../species/gallery-search';
import { PageLoading } from '../states/states';
import { timelineSearch } from '../timeline/timeline-search';
import { preloadToday } from '../today/preload-today';
import { NotFound } from './not-found';
import { Shell } from './shell';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const parent = { getParentRoute: () => root, pendingComponent: PageLoading } as const;

/** Today, an own day of the hub. */
const today = createRoute({
  ...parent,
  path: '/',
  loader: preloadToday,
  component: lazyRouteComponent(() => import('../today/today-page'), 'TodayPage'),
});

const timeline = createRoute({
  ...parent,
  path: '/timeline',
  validateSearch: timelineSearch,
  component: lazyRouteComponent(() => import('../timeline/timeline-route'), 'TimelineRoute'),
});

/** The address that people type for what stands at `/timeline?review=1`. */
const review = createRoute({
  ...parent,
  path: '/review',
  validateSearch: timelineSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/timeline', search: { ...search, review: 1 }, replace: true });
  },
});

const recording = createRoute({
  ...parent,
  path: '/videos/$id',
  validateSearch: recordingSearch,
  component: lazyRouteComponent(() => import('../recording/recording-page'), 'RecordingPage'),
});

const speciesGallery = createRoute({
  ...parent,
  path: '/species',
  validateSearch: gallerySearch,
  component: lazyRouteComponent(() => import('../species/species-gallery'), 'SpeciesGallery'),
});

const species = createRoute({
  ...parent,
  path: '/species/$id',
  component: lazyRouteComponent(() => import('../species/species-page'), 'SpeciesPage'),
});

const calendar = createRoute({
  ...parent,
  path: '/calendar',
  validateSearch: calendarSearch,
  component: lazyRouteComponent(() => import('../calendar/calendar-page'), 'CalendarPage'),
});

const region = createRoute({
  ...parent,
  path: '/region',
  component: lazyRouteComponent(() => import('../region/region-page'), 'RegionPage'),
});

const reports = createRoute({
  ...parent,
  path: '/reports',
  validateSearch: reportSearch,
  component: lazyRouteComponent(() => import('../reports/reports-page'), 'ReportsPage'),
});

const system = createRoute({
  ...parent,
  path: '/system',
  component: lazyRouteComponent(() => import('../system/system-page'), 'SystemPage'),
});

const settings = createRoute({
  ...parent,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/settings-page'), 'SettingsPage'),
});

/** Every page and its address. */
export const routeTree = root.addChildren([
  today,
  timeline,
  review,
  recording,
  speciesGallery,
  species,
  calendar,
  region,
  reports,
  system,
  settings,
]);
