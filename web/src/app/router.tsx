import { Button } from '@mantine/core';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
  useMatches,
} from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { basePath } from '../api/hub-url';
import { loadPart, withLaterStyles } from '../components/lazy-part';
import { Empty, PageLoading } from '../components/states';
import { calendarSearch } from '../features/calendar/calendar-search';
import { compareSearch } from '../features/compare/compare-search';
import { cameraSearch } from '../features/live-view/camera-search';
import { sourcesSearch } from '../features/sources/sources-search';
import { gallerySearch } from '../features/species/gallery-search';
import { timelineSearch } from '../features/timeline/timeline-search';
import { preloadToday } from '../features/today/today-queries';
import { wallSearch } from '../features/wall/wall-search';
import { welcomeSearch } from '../features/welcome/welcome-search';
import { monthFromUrl } from '../lib/days';
import { ErrorPage } from './error-page';
import { Shell } from './shell';

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const parent = { getParentRoute: () => root, pendingComponent: PageLoading } as const;

const today = createRoute({
  ...parent,
  path: '/',
  loader: () => void preloadToday(),
  component: lazyRouteComponent(() => loadPart(() => import('../features/today/today-page')), 'TodayPage'),
});

const timeline = createRoute({
  ...parent,
  path: '/timeline',
  validateSearch: timelineSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/timeline/timeline-page')),
    'TimelinePage',
  ),
});

/** Short URL for `/timeline?review=1`. */
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
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/recording/recording-page')),
    'RecordingPage',
  ),
});

const speciesGallery = createRoute({
  ...parent,
  path: '/species',
  validateSearch: gallerySearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/species/species-gallery')),
    'SpeciesGallery',
  ),
});

const species = createRoute({
  ...parent,
  path: '/species/$id',
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/species/species-page')),
    'SpeciesPage',
  ),
});

const calendar = createRoute({
  ...parent,
  path: '/calendar',
  validateSearch: calendarSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/calendar/calendar-page')),
    'CalendarPage',
  ),
});

const compare = createRoute({
  ...parent,
  path: '/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/compare/compare-page')),
    'ComparePage',
  ),
});

const region = createRoute({
  ...parent,
  path: '/region',
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/region/region-page')),
    'RegionPage',
  ),
});

const reports = createRoute({
  ...parent,
  path: '/reports',
  validateSearch: reportSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/reports/reports-page')),
    'ReportsPage',
  ),
});

const system = createRoute({
  ...parent,
  path: '/system',
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/system/system-page')),
    'SystemPage',
  ),
});

const welcome = createRoute({
  ...parent,
  path: '/welcome',
  validateSearch: welcomeSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/welcome/welcome-page')),
    'WelcomePage',
  ),
});

const sources = createRoute({
  ...parent,
  path: '/sources',
  validateSearch: sourcesSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/sources/sources-page')),
    'SourcesPage',
  ),
});

const settings = createRoute({
  ...parent,
  path: '/settings',
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/settings/settings-page')),
    'SettingsPage',
  ),
});

const live = createRoute({
  ...parent,
  path: '/live',
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/live-view/live-page')),
    'LivePage',
  ),
});

const camera = createRoute({
  ...parent,
  path: '/cameras/$id',
  validateSearch: cameraSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/live-view/camera-page')),
    'CameraPage',
  ),
});

const shares = createRoute({
  ...parent,
  path: '/shares',
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/shares/shares-page')),
    'SharesPage',
  ),
});

/** For displays: outside of the shell. */
const wall = createRoute({
  ...parent,
  path: '/wall',
  validateSearch: wallSearch,
  component: lazyRouteComponent(
    () => withLaterStyles(() => import('../features/wall/wall-page')),
    'WallPage',
  ),
});

const routeTree = root.addChildren([
  today,
  timeline,
  review,
  recording,
  speciesGallery,
  species,
  calendar,
  compare,
  region,
  reports,
  welcome,
  sources,
  system,
  settings,
  live,
  camera,
  shares,
  wall,
]);

/** Search parameters of a recording. */
interface RecordingSearch {
  /** Id of the detection to open at. */
  readonly detection?: number;
  /** Second to open at. */
  readonly t?: number;
}

function recordingSearch({ detection, t }: Record<string, unknown>): RecordingSearch {
  return {
    ...(Number.isSafeInteger(detection) && Number(detection) > 0 && { detection: Number(detection) }),
    ...(typeof t === 'number' && t >= 0 && t < 86_400 && { t }),
  };
}

/** Search parameters of the reports page. */
interface ReportSearch {
  /** Month `YYYY-MM` of the report. */
  readonly month?: string;
}

function reportSearch(raw: Record<string, unknown>): ReportSearch {
  const month = monthFromUrl(raw['month']);
  return month === undefined ? {} : { month };
}

/** The shell around every page but the wall view. */
function Frame() {
  const isBare = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/wall') });
  return isBare ? <Outlet /> : <Shell />;
}

function NotFound() {
  const { t } = useTranslation('app');
  return (
    <Empty
      title={t('not_found')}
      action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('to_today')}</Button>}
    >
      {t('not_found_hint')}
    </Empty>
  );
}

/** Routes of the UI below the hub's base path. */
export const router = createRouter({
  routeTree,
  basepath: basePath === '' ? '/' : basePath,
  defaultPreload: 'intent',
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
  // Drops search parameters that a page does not validate.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
