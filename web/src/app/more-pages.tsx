import { Drawer } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NavigationList } from './navigation-list';

interface MorePagesProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The drawer with all pages on a phone; loaded when it is first opened. */
export function MorePages({ isOpen, onClose }: MorePagesProps) {
  const { t } = useTranslation('app');
  return (
    <Drawer opened={isOpen} onClose={onClose} position="bottom" size="auto" title={t('more')}>
      <NavigationList onChoose={onClose} />
    </Drawer>
  );
}
