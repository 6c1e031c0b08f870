import { ActionIcon, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart, withLaterStyles } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import type { Day } from '../../lib/days';
import { useOnce } from '../../lib/use-once';
import { requestRole } from '../session/access';

const loadDialog = () => import('./sighting-dialog').then((file) => file.SightingDialog);
const SightingDialog = lazyPart(loadDialog);

interface AddSightingProps {
  /** Day of the page if it is not today; the default of the form. */
  readonly day?: Day | undefined;
}

/** Button that opens the sighting form; asks for the password first if needed. An icon on a phone. */
export function AddSighting({ day }: AddSightingProps) {
  const { t } = useTranslation('app');
  const [isOpen, setIsOpen] = useState(false);
  const isMounted = useOnce(isOpen);
  const label = t('add_sighting');
  const handlers = {
    onPointerEnter: () => void withLaterStyles(loadDialog),
    // If the hub is unreachable, sending the sighting will report it.
    onClick: async () => setIsOpen(await requestRole('contributor').catch(() => true)),
  };
  return (
    <>
      <Button visibleFrom="sm" leftSection={<IconPlus size={18} aria-hidden />} {...handlers}>
        {label}
      </Button>
      <ActionIcon hiddenFrom="sm" variant="filled" size={36} aria-label={label} {...handlers}>
        <IconPlus size={22} aria-hidden />
      </ActionIcon>
      {isMounted && (
        <PartBoundary isOpen={isOpen} onMissing={() => setIsOpen(false)}>
          <SightingDialog isOpen={isOpen} day={day} onClose={() => setIsOpen(false)} />
        </PartBoundary>
      )}
    </>
  );
}
