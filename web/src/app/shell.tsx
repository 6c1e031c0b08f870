import { ActionIcon, type ActionIconProps, Button } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useNotifications } from '@mantine/notifications';
import { IconAdjustments, IconWifiOff } from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import { type ComponentPropsWithRef, Suspense, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveUpdates } from '../api/live/use-live-updates';
import { unlockRequests } from '../api/unlock';
import { lazyComponent, lazyPart, withLaterStyles } from '../components/lazy-part';
import { missingParts, PartBoundary } from '../components/part-boundary';
import { PageLoading } from '../components/states';
import { useDemo } from '../features/demo/use-demo';
import { SessionButton } from '../features/session/session-button';
import { useHubFacts } from '../lib/hub-facts';
import { useMedia } from '../lib/use-media';
import { useOnce } from '../lib/use-once';
import { NavigationBar } from './navigation';
import classes from './shell.module.css';

const wideQuery = '(min-width: 62em)';

const loadNavigationList = () => import('./navigation-list').then((file) => file.NavigationList);
const NavigationList = lazyComponent(loadNavigationList);

/** Loads the navigation list if the screen is wide enough to show it. */
export async function preloadNavigation(): Promise<void> {
  if (window.matchMedia(wideQuery).matches) await loadNavigationList();
}

const skipToContent = () => document.getElementById('content')?.focus();

/** The layout around every page: header, navigation, overlays. */
export function Shell() {
  const { t } = useTranslation('app');
  const { name, zone } = useHubFacts();
  const isReachable = useLiveUpdates();
  const isWide = useMedia(wideQuery);
  return (
    <>
      {/* A link to a bare fragment would lead to the start page because of <base>. */}
      <button type="button" className={classes['skip']} onClick={skipToContent}>
        {t('skip')}
      </button>
      <header className={classes['header']}>
        <Link to="/" className={classes['brand']}>
          <Logo />
          <span className={classes['name']}>{name}</span>
        </Link>
        <div className={classes['tools']}>
          <SessionButton />
          <Preferences />
        </div>
      </header>
      {isWide && (
        <aside className={classes['sidebar']}>
          <PartBoundary fallback={<div />}>
            <NavigationList />
          </PartBoundary>
          <p className={classes['zone']}>{t('zone', { zone })}</p>
        </aside>
      )}
      <main id="content" tabIndex={-1} className={classes['main']}>
        <OfflineBanner isReachable={isReachable} />
        <MissingPartBanner />
        <Demo />
        <div className={classes['page']}>
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </div>
        {!isWide && <p className={classes['zone']}>{t('zone', { zone })}</p>}
      </main>
      {!isWide && (
        <footer className={classes['footer']}>
          <NavigationBar />
        </footer>
      )}
      <Overlays />
    </>
  );
}

/** The hub's mark: a bird on the rim of a feeder. */
function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
      <rect width="64" height="64" rx="14" fill="#3a7237" />
      <path
        d="M14 36c0-10 8-17 18-17 3-5 9-7 14-4l6 3-6 2c1 13-7 23-19 23H12l8-6c-4 0-6 0-6-1z"
        fill="#f6f7f2"
      />
      <circle cx="43" cy="20" r="2" fill="#234a22" />
      <path
        d="M25 43l-2 8M32 43v8M10 51h44"
        stroke="#dfebdd"
        strokeWidth="3"
        strokeLinecap="round"
        fill="none"
      />
    </svg>
  );
}

/** Shown while the browser is offline or the hub does not respond: the data is from the cache. */
function OfflineBanner({ isReachable }: { readonly isReachable: boolean }) {
  const { t } = useTranslation('components');
  const { online } = useNetwork();
  if (online && isReachable) return null;
  return (
    <p role="status" className={classes['offline']}>
      <IconWifiOff size={20} aria-hidden />
      {t(online ? 'unreachable' : 'offline')}
    </p>
  );
}

/** Shown when a part of the page did not load, which a reload repairs. */
function MissingPartBanner() {
  const { t } = useTranslation('app');
  const isAnyMissing = useSyncExternalStore(missingParts.subscribe, missingParts.isAny);
  if (!isAnyMissing) return null;
  return (
    <div role="alert" className={classes['missing']}>
      {t('part_missing')}
      <Button size="compact-sm" flex="none" onClick={() => window.location.reload()}>
        {t('reload')}
      </Button>
    </div>
  );
}

const DemoBanner = lazyComponent(() =>
  import('../features/demo/demo-banner').then((file) => file.DemoBanner),
);

/** The banner that is shown while the hub has demo data. */
function Demo() {
  const demo = useDemo();
  return (
    demo && (
      <PartBoundary>
        <DemoBanner demo={demo} />
      </PartBoundary>
    )
  );
}

const loadPreferences = () => import('./preferences-menu').then((file) => file.PreferencesMenu);

const PreferencesMenu = lazyPart(loadPreferences);
const UnlockDialog = lazyPart(() =>
  import('../features/session/unlock-dialog').then((file) => file.UnlockDialog),
);
const NoticeArea = lazyPart(() => import('./notice-area').then((file) => file.NoticeArea));

/** The preferences button; its menu is loaded on hover or click. */
function Preferences() {
  const [isRequested, setRequested] = useState(false);
  const icon = (
    <PreferencesIcon
      aria-haspopup="menu"
      onPointerEnter={() => void withLaterStyles(loadPreferences)}
      onClick={() => setRequested(true)}
    />
  );
  return isRequested ? (
    <PartBoundary fallback={icon} onMissing={() => setRequested(false)}>
      <PreferencesMenu target={<PreferencesIcon />} />
    </PartBoundary>
  ) : (
    icon
  );
}

/** Dialogs and notices over a page, loaded when first needed. */
function Overlays() {
  const isUnlocking = useSyncExternalStore(unlockRequests.subscribe, unlockRequests.current) !== undefined;
  const wasUnlocking = useOnce(isUnlocking);
  const isNoticeShown = useOnce(useNotifications().notifications.length > 0);
  return (
    <>
      <PartBoundary isOpen={isUnlocking} onMissing={() => unlockRequests.current()?.settle(false)}>
        {wasUnlocking && <UnlockDialog />}
      </PartBoundary>
      <PartBoundary>{isNoticeShown && <NoticeArea />}</PartBoundary>
    </>
  );
}

function PreferencesIcon(props: ActionIconProps & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation('app');
  return (
    <ActionIcon variant="subtle" size="lg" aria-label={`${t('language')}, ${t('scheme')}`} {...props}>
      <IconAdjustments size={20} aria-hidden />
    </ActionIcon>
  );
}
