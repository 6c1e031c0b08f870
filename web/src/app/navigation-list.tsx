import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { destinations } from './navigation';
import classes from './navigation-list.module.css';
import { linkOf, useIsHere } from './use-is-here';

/** Every page, one below the other. */
export function NavigationList({ onChoose }: { readonly onChoose?: () => void }) {
  const { t } = useTranslation('app');
  const isHere = useIsHere();
  return (
    <nav className={classes['list']} aria-label={t('navigation')}>
      {destinations.map((place) => (
        <Link
          key={place.name}
          {...linkOf(place)}
          className={classes['place']}
          data-active={isHere(place) || undefined}
          aria-current={isHere(place) ? 'page' : undefined}
          onClick={onChoose}
        >
          <place.icon size={20} stroke={1.6} aria-hidden />
          {t(place.name)}
        </Link>
      ))}
    </nav>
  );
}
