import { Button, Group, Modal, Progress, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import classes from './demo-banner.module.css';
import { type ShownDemo, useRemoveDemo } from './demo-queries';

/** Says on every page that what is shown is a demo, with the way to remove it. */
export function DemoBanner({ demo }: { readonly demo: ShownDemo }) {
  const { t } = useTranslation('demo');
  const [isAsking, { open, close }] = useDisclosure();
  useRefetchAfterwards(demo.state);
  if (demo.state === 'none') return null;
  const isBusy = demo.state === 'filling' || demo.state === 'removing';
  const share = demo.total > 0 ? Math.min(100, (100 * demo.done) / demo.total) : 3;
  return (
    <section className={classes['banner']} aria-label={t('banner')}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" role="status" className={classes['words'] ?? ''}>
          <b>{t('banner')}</b>{' '}
          {isBusy ? t(`state.${demo.state === 'filling' ? 'filling' : 'removing'}`) : t('banner_hint')}
        </Text>
        {demo.state !== 'removing' && (
          <Button size="compact-sm" variant="default" flex="none" onClick={open}>
            {t('remove')}
          </Button>
        )}
      </Group>
      {isBusy && <Progress value={share} size="xs" mt={6} aria-label={t('banner')} />}
      <RemoveDialog isOpen={isAsking} onClose={close} />
    </section>
  );
}

/** Pages are read anew when today's birds have come and when the last of them is gone. */
function useRefetchAfterwards(state: ShownDemo['state']): void {
  const client = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) void client.invalidateQueries();
    before.current = state;
  }, [state, client]);
}

function RemoveDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation('demo');
  const remove = useRemoveDemo();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('remove_title')}
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      <Text mb="md">{t('remove_hint')}</Text>
      {remove.error !== null && (
        <Text role="alert" c="red" mb="md">
          {problemText(t, remove.error)}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          color="red"
          loading={remove.isPending}
          onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
        >
          {t('remove_now')}
        </Button>
      </Group>
    </Modal>
  );
}
