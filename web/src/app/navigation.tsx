import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../components/lazy-part';
import { PartBoundary } from '../components/part-boundary';
import { useOnce } from '../lib/use-once';
import { linkOf, otherPages, tabs, useIsCurrent } from './destinations';
import classes from './navigation.module.css';

const MorePages = lazyPart(() => import('./more-pages').then((file) => file.MorePages));

/** The tab bar of a phone: the first pages, and a drawer with the others. */
export function NavigationBar() {
  const { t } = useTranslation('app');
  const isCurrent = useIsCurrent();
  const [isOpen, { open, close }] = useDisclosure(false);
  const wasOpen = useOnce(isOpen);
  return (
    <>
      <nav className={classes['bar']} aria-label={t('navigation')}>
        {tabs.map((page) => (
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
          data-active={otherPages.some(isCurrent) || undefined}
          aria-haspopup="dialog"
          onClick={open}
        >
          <IconMenu2 size={22} stroke={1.6} aria-hidden />
          {t('more')}
        </button>
      </nav>
      {wasOpen && (
        <PartBoundary isOpen={isOpen} onMissing={close}>
          <MorePages isOpen={isOpen} onClose={close} />
        </PartBoundary>
      )}
    </>
  );
}
