import { Anchor, Button, Card, Stack, Title } from '@mantine/core';
import {
  IconBell,
  IconBinoculars,
  IconBowlSpoon,
  IconCamera,
  IconChevronLeft,
  IconChevronRight,
  IconCloud,
  IconDatabase,
  IconDeviceMobile,
  IconFeather,
  IconListDetails,
  IconLock,
  IconMail,
  IconMapPin,
  IconMicroscope,
  IconMusic,
  IconPlugConnected,
  type IconProps,
  IconShare,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { AlertLog } from '../notifications/alert-log';
import { ChannelList } from '../notifications/channels';
import { DeviceNotifications } from '../notifications/device-notifications';
import { RulesSection } from '../notifications/rules-section';
import { AccessTokens } from './access-tokens';
import { Checklists } from './checklists';
import { PostExample, RefusedMessages } from './refused-messages';
import { groupNames, type SettingGroup } from './setting-groups';
import { settingAt } from './setting-values';
import { SettingsGroup } from './settings-group';
import classes from './settings-page.module.css';
import { settingsQuery } from './settings-queries';
import { Webhooks } from './webhooks';

/** Settings by section; those of this device come first and need no password. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  const chosen = useLocation({ select: ({ hash }) => sectionFromHash(hash) });
  const shown = chosen ?? 'device';
  const section = useSectionFocus(chosen);
  return (
    <Page title={t('title')}>
      <div className={classes['columns']}>
        <SectionList chosen={chosen} shown={shown} />
        <div ref={section} tabIndex={-1} className={classes['content']} data-chosen={chosen && true}>
          <Anchor
            className={classes['back']}
            py={4}
            underline="never"
            renderRoot={(props) => <Link to="/settings" {...props} />}
          >
            <IconChevronLeft size={18} aria-hidden style={{ verticalAlign: '-3px' }} /> {t('all_settings')}
          </Anchor>
          {shown === 'device' ? (
            <SectionCard id="device" title={t('group.device')}>
              <DeviceNotifications />
            </SectionCard>
          ) : (
            <HubSettings key={shown} section={shown} />
          )}
        </div>
      </div>
    </Page>
  );
}

interface SectionListProps {
  /** Section of the URL. */
  readonly chosen: SettingsSection | undefined;
  /** Section shown next to the list. */
  readonly shown: SettingsSection;
}

/** Sections of the settings: a sidebar, or a separate page on a phone. */
function SectionList({ chosen, shown }: SectionListProps) {
  const { t } = useTranslation('settings');
  return (
    <nav className={classes['list']} aria-label={t('sections')} data-left={chosen && true}>
      {settingsSections.map((section) => {
        const Icon = sectionIcons[section];
        return (
          <Link
            key={section}
            to="/settings"
            hash={section}
            hashScrollIntoView={false}
            className={classes['place']}
            data-active={section === shown || undefined}
            aria-current={section === shown ? 'true' : undefined}
          >
            <Icon size={20} stroke={1.6} aria-hidden />
            {t(`group.${section}`)}
            <IconChevronRight size={18} aria-hidden />
          </Link>
        );
      })}
    </nav>
  );
}

/** A section of the hub's settings, or why it cannot be shown. */
function HubSettings({ section }: { readonly section: Exclude<SettingsSection, 'device'> }) {
  const { t } = useTranslation('settings');
  const { data, error, isFetching, refetch } = useQuery(settingsQuery);
  if (data !== undefined) {
    const acceptsPosts = section === 'mqtt' && settingAt(data, 'mqtt.accept_posts') === true;
    return (
      <>
        <SectionCard id={section} title={t(`group.${section}`)}>
          {section === 'webhooks' && <Webhooks settings={data} />}
          {section === 'species' && <Checklists />}
          {section !== 'webhooks' && section !== 'species' && (
            <SettingsGroup group={section} settings={data} />
          )}
          {acceptsPosts && <PostExample settings={data} />}
          {section === 'sharing' && (
            <Anchor renderRoot={(props) => <Link to="/shares" {...props} />}>{t('to_shares')}</Anchor>
          )}
        </SectionCard>
        {section === 'notifications' && <NotificationCards />}
        {acceptsPosts && (
          <SectionCard id="refused" title={t('refused.title')}>
            <RefusedMessages />
          </SectionCard>
        )}
        {section === 'access' && (
          <SectionCard id="tokens" title={t('tokens.title')}>
            <AccessTokens isUnprotected={settingAt(data, 'general.settings_password') === ''} />
          </SectionCard>
        )}
      </>
    );
  }
  if (error === null || isFetching) return <Loading rows={1} height={420} />;
  if (!(error instanceof Problem) || error.status !== 403) {
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Empty
      icon={IconLock}
      title={t('locked_title')}
      action={<Button onClick={() => void refetch()}>{t('unlock')}</Button>}
    >
      {t('locked')}
    </Empty>
  );
}

/** Rules come first, as they are changed most often. */
function NotificationCards() {
  const { t } = useTranslation('notifications');
  return (
    <>
      <SectionCard id="rules" title={t('settings.rules')}>
        <RulesSection />
      </SectionCard>
      <SectionCard id="channels" title={t('settings.channels')}>
        <ChannelList />
      </SectionCard>
      <SectionCard id="alert-log" title={t('settings.log')}>
        <AlertLog />
      </SectionCard>
    </>
  );
}

interface SectionCardProps {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** Card of a settings section. */
function SectionCard({ id, title, children }: SectionCardProps) {
  return (
    <Card
      component="section"
      aria-labelledby={`${id}-title`}
      withBorder
      padding="lg"
      bg="var(--card-background)"
      style={{ overflow: 'visible' }}
    >
      <Stack gap="lg">
        <Title order={2} size="h3" id={`${id}-title`}>
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  );
}

/** Moves the focus to a section when it is opened. */
function useSectionFocus(chosen: SettingsSection | undefined) {
  const ref = useRef<HTMLDivElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    if (chosen !== undefined && chosen !== before.current) {
      if (!ref.current?.contains(document.activeElement)) ref.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    before.current = chosen;
  }, [chosen]);
  return ref;
}

/** Section of the page: a group of settings, the webhooks, the checklists of species, or this device. */
type SettingsSection = 'device' | 'webhooks' | 'species' | SettingGroup;

const settingsSections: readonly SettingsSection[] = [
  'device',
  ...groupNames.flatMap((group): SettingsSection[] => {
    if (group === 'mqtt') return [group, 'webhooks'];
    return group === 'visits' ? [group, 'species'] : [group];
  }),
];

const sectionIcons: Readonly<Record<SettingsSection, ComponentType<IconProps>>> = {
  device: IconDeviceMobile,
  hub: IconMapPin,
  access: IconLock,
  visits: IconFeather,
  cameras: IconCamera,
  notifications: IconBell,
  digest: IconMail,
  feeder: IconBowlSpoon,
  storage: IconDatabase,
  weather: IconCloud,
  sharing: IconShare,
  mqtt: IconPlugConnected,
  webhooks: IconWebhook,
  species: IconListDetails,
  ebird: IconBinoculars,
  science: IconMicroscope,
  services: IconMusic,
};

/** Returns the section of a URL hash, such as `feeder`. */
const sectionFromHash = (hash: string): SettingsSection | undefined =>
  settingsSections.find((section) => section === hash);
