import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface MorePagesProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The drawer with all pages on a phone; loaded when it is first opened. */
export function MorePages({ isOpen, onClose, children }: MorePagesProps) {
  const { t } = useTranslation('app');
  return (
    <Drawer opened={isOpen} onClose={onClose} position="bottom" size="auto" title={t('more')}>
      {children}
    </Drawer>
  );
}
