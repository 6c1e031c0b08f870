import { Drawer } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useOpenerFocus } from '../lib/use-opener-focus';
import classes from './navigation.module.css';
import { NavigationList } from './navigation-list';

interface MorePagesProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer with the pages that are no tabs of a phone; loaded when it is first opened. */
export function MorePages({ isOpen, onClose }: MorePagesProps) {
  const { t } = useTranslation('app');
  const { t: shared } = useTranslation('components');
  useOpenerFocus(isOpen);
  // Back and Forward
  useWindowEvent('popstate', onClose);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      // Would take the focus from the page that is chosen.
      returnFocus={false}
      position="bottom"
      title={t('more')}
      closeButtonProps={{ 'aria-label': shared('shortcuts.close') }}
      classNames={{ content: classes['sheet'] ?? '' }}
    >
      <NavigationList isRest onChoose={onClose} />
    </Drawer>
  );
}
