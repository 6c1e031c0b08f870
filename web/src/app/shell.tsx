import { AppShell, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useHubFacts } from '../hub-facts/hub-facts';
import { useLiveNews } from '../live/use-live-news';
import { SessionButton } from '../session/session-button';
import { PageLoading } from '../states/states';
import { Logo } from './logo';
import { NavigationBar } from './navigation-bar';
import { NavigationList } from './navigation-list';
import { OfflineBanner } from './offline-banner';
import classes from './shell.module.css';
import { Overlays, Preferences } from './when-needed';

const skipToContent = () => document.getElementById('content')?.focus();

/** What stands around every page. */
export function Shell() {
  const { t } = useTranslation('app');
  const { name, zone } = useHubFacts();
  useLiveNews();
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 208, breakpoint: 'md', collapsed: { mobile: true } }}
      footer={{ height: 60, collapsed: isWide === true }}
    >
      {/* The page's <base> would make a bare fragment lead to the start page. */}
      <button type="button" className={classes['skip']} onClick={skipToContent}>
        {t('skip')}
      </button>
      <AppShell.Header px="md">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Link to="/" className={classes['brand']}>
            <Logo />
            <span className={classes['name']}>{name}</span>
          </Link>
          <Group gap="xs" wrap="nowrap" flex="none">
            <SessionButton />
            <Preferences />
          </Group>
        </Group>
      </AppShell.Header>
      {isWide && (
        <AppShell.Navbar p="xs">
          <AppShell.Section grow>
            <NavigationList />
          </AppShell.Section>
          <Text size="xs" c="dimmed" p="xs">
            {t('zone', { zone })}
          </Text>
        </AppShell.Navbar>
      )}
      <AppShell.Main id="content" tabIndex={-1} className={classes['main'] ?? ''}>
        <OfflineBanner />
        <div className={classes['page']}>
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </div>
        {!isWide && (
          <Text size="xs" c="dimmed" ta="center" p="sm" className={classes['zone'] ?? ''}>
            {t('zone', { zone })}
          </Text>
        )}
      </AppShell.Main>
      {!isWide && (
        <AppShell.Footer>
          <NavigationBar />
        </AppShell.Footer>
      )}
      <Overlays />
    </AppShell>
  );
}
