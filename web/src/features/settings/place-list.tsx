import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './place-list.module.css';
import { placeIcons, type SettingPlace, settingPlaces } from './setting-places';

interface PlaceListProps {
  /** What the address names. */
  readonly chosen: SettingPlace | undefined;
  /** What is seen beside the list. */
  readonly shown: SettingPlace;
}

/** The parts of the settings: beside the one that is seen, on a phone before it. */
export function PlaceList({ chosen, shown }: PlaceListProps) {
  const { t } = useTranslation('settings');
  return (
    <nav className={classes['list']} aria-label={t('sections')} data-left={chosen && true}>
      {settingPlaces.map((place) => {
        const Icon = placeIcons[place];
        return (
          <Link
            key={place}
            to="/settings"
            hash={place}
            hashScrollIntoView={false}
            className={classes['place']}
            data-active={place === shown || undefined}
            aria-current={place === shown ? 'true' : undefined}
          >
            <Icon size={20} stroke={1.6} aria-hidden />
            {t(`group.${place}`)}
            <IconChevronRight size={18} aria-hidden />
          </Link>
        );
      })}
    </nav>
  );
}
