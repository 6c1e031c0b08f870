import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { barPlaces, destinations } from './navigation';
import classes from './navigation-bar.module.css';
import { linkOf, useIsHere } from './use-is-here';
import { useOnce } from './use-once';

const MorePages = lazy(() => import('./more-pages').then((file) => ({ default: file.MorePages })));

/** The bar at the bottom of a phone's screen: what is looked at most, and the rest behind one place. */
export function NavigationBar() {
  const { t } = useTranslation('app');
  const isHere = useIsHere();
  const [isOpen, { open, close }] = useDisclosure(false);
  const wasOpen = useOnce(isOpen);
  const isElsewhere = destinations.slice(barPlaces).some(isHere);
  return (
    <>
      <nav className={classes['bar']} aria-label={t('navigation')}>
        {destinations.slice(0, barPlaces).map((place) => (
          <Link
            key={place.name}
            {...linkOf(place)}
            className={classes['place']}
            data-active={isHere(place) || undefined}
            aria-current={isHere(place) ? 'page' : undefined}
          >
            <place.icon size={22} stroke={1.6} aria-hidden />
            {t(place.name)}
          </Link>
        ))}
        <button
          type="button"
          className={classes['place']}
          data-active={isElsewhere || undefined}
          aria-haspopup="dialog"
          onClick={open}
        >
          <IconMenu2 size={22} stroke={1.6} aria-hidden />
          {t('more')}
        </button>
      </nav>
      {wasOpen && (
        <Suspense>
          <MorePages isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
