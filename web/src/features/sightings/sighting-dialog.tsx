import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../lib/days';
import { useCloseWarning } from '../../lib/use-leave-warning';
import { useIsPhone } from '../../lib/use-media';
import { useOpenerFocus } from '../../lib/use-opener-focus';
import { SightingForm } from './sighting-form';

interface SightingDialogProps {
  readonly isOpen: boolean;
  /** Default instead of now. */
  readonly day: Day | undefined;
  readonly onClose: () => void;
}

/** The sighting form in a dialog, which fills the screen of a phone. */
export function SightingDialog({ isOpen, day, onClose }: SightingDialogProps) {
  const { t } = useTranslation('sightings');
  useOpenerFocus(isOpen);
  const [hasChanges, setHasChanges] = useState(false);
  const close = useCloseWarning(hasChanges, onClose);
  const isPhone = useIsPhone();
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('title')}
      closeButtonProps={{ 'aria-label': t('close') }}
      // Typed text must not be lost by accident.
      closeOnClickOutside={false}
      fullScreen={isPhone}
      size={560}
      transitionProps={{ duration: 0 }}
      styles={{ title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } }}
    >
      <SightingForm day={day} onClose={onClose} onChange={setHasChanges} />
    </Modal>
  );
}
