import { useDisclosure } from '@mantine/hooks';
import {
  IconArrowsDiff,
  IconBinoculars,
  IconCalendarStats,
  IconFeather,
  IconFileText,
  IconHelpHexagon,
  IconMenu2,
  IconPlugConnected,
  type IconProps,
  IconServer2,
  IconSettings,
  IconSun,
  IconTimeline,
  IconVideo,
} from '@tabler/icons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnce } from '../lib/use-once';
import { lazyPart } from './component-styles/lazy-part';
import classes from './navigation.module.css';

/** Pages of the navigation, in order; the first four are tabs on a phone. */
const destinations = [
  { name: 'today', to: '/', icon: IconSun },
  { name: 'timeline', to: '/timeline', icon: IconTimeline },
  { name: 'review', to: '/timeline', search: { review: 1 }, icon: IconHelpHexagon },
  { name: 'species', to: '/species', icon: IconFeather },
  { name: 'live', to: '/live', icon: IconVideo },
  { name: 'calendar', to: '/calendar', icon: IconCalendarStats },
  { name: 'compare', to: '/compare', icon: IconArrowsDiff },
  { name: 'region', to: '/region', icon: IconBinoculars },
  { name: 'reports', to: '/reports', icon: IconFileText },
  { name: 'sources', to: '/sources', icon: IconPlugConnected },
  { name: 'system', to: '/system', icon: IconServer2 },
  { name: 'settings', to: '/settings', icon: IconSettings },
] as const satisfies readonly {
  name: string;
  to: string;
  search?: object;
  icon: ComponentType<IconProps>;
}[];

type Destination = (typeof destinations)[number];

const maxTabs = 4;

/** All pages as a vertical list. */
export function NavigationList({ onChoose }: { readonly onChoose?: () => void }) {
  const { t } = useTranslation('app');
  const isCurrent = useIsCurrent();
  return (
    <nav className={classes['list']} aria-label={t('navigation')}>
      {destinations.map((page) => (
        <Link
          key={page.name}
          {...linkOf(page)}
          className={classes['place']}
          data-active={isCurrent(page) || undefined}
          aria-current={isCurrent(page) ? 'page' : undefined}
          onClick={onChoose}
        >
          <page.icon size={20} stroke={1.6} aria-hidden />
          {t(page.name)}
        </Link>
      ))}
    </nav>
  );
}

const MorePages = lazyPart(() => import('./more-pages').then((file) => file.MorePages));

/** The tab bar of a phone: the first pages, and a drawer with all of them. */
export function NavigationBar() {
  const { t } = useTranslation('app');
  const isCurrent = useIsCurrent();
  const [isOpen, { open, close }] = useDisclosure(false);
  const wasOpen = useOnce(isOpen);
  const isBehindMore = destinations.slice(maxTabs).some(isCurrent);
  return (
    <>
      <nav className={classes['bar']} aria-label={t('navigation')}>
        {destinations.slice(0, maxTabs).map((page) => (
          <Link
            key={page.name}
            {...linkOf(page)}
            className={classes['tab']}
            data-active={isCurrent(page) || undefined}
            aria-current={isCurrent(page) ? 'page' : undefined}
          >
            <page.icon size={22} stroke={1.6} aria-hidden />
            {t(page.name)}
          </Link>
        ))}
        <button
          type="button"
          className={classes['tab']}
          data-active={isBehindMore || undefined}
          aria-haspopup="dialog"
          onClick={open}
        >
          <IconMenu2 size={22} stroke={1.6} aria-hidden />
          {t('more')}
        </button>
      </nav>
      {wasOpen && (
        <Suspense>
          <MorePages isOpen={isOpen} onClose={close}>
            <NavigationList onChoose={close} />
          </MorePages>
        </Suspense>
      )}
    </>
  );
}

/** Returns whether a destination is the current page. */
function useIsCurrent(): (page: Destination) => boolean {
  const { pathname, search } = useRouterState({ select: (state) => state.location });
  const isReview = 'review' in search && search.review === 1;
  return (page) => {
    if (page.to === '/') return pathname === '/';
    if (page.to === '/timeline') return pathname === '/timeline' && 'search' in page === isReview;
    return pathname.startsWith(page.to);
  };
}

/** Link properties of a destination. */
const linkOf = (page: Destination) =>
  'search' in page ? { to: page.to, search: page.search } : { to: page.to };
