import {
  IconArrowsDiff,
  IconBinoculars,
  IconCalendarStats,
  IconFileText,
  IconPlugConnected,
  type IconProps,
  IconServer2,
  IconSettings,
  IconVideo,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { linkOf, otherPages, tabs, useIsCurrent } from './destinations';
import classes from './navigation.module.css';

const icons: Readonly<Record<(typeof otherPages)[number]['name'], ComponentType<IconProps>>> = {
  live: IconVideo,
  calendar: IconCalendarStats,
  compare: IconArrowsDiff,
  region: IconBinoculars,
  reports: IconFileText,
  sources: IconPlugConnected,
  system: IconServer2,
  settings: IconSettings,
};

const rest = otherPages.map((page) => ({ ...page, icon: icons[page.name] }));

interface NavigationListProps {
  /** Whether pages that are tabs of a phone are left out. */
  readonly isRest?: boolean;
  readonly onChoose?: () => void;
}

/** Pages as a vertical list; a phone loads it when it is first opened. */
export function NavigationList({ isRest = false, onChoose }: NavigationListProps) {
  const { t } = useTranslation('app');
  const isCurrent = useIsCurrent();
  return (
    <nav className={classes['list']} aria-label={t('navigation')}>
      {(isRest ? rest : [...tabs, ...rest]).map((page) => (
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
