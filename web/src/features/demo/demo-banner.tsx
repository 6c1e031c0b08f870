import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import { useOnce } from '../../lib/use-once';
import classes from './demo-banner.module.css';
import type { ShownDemo } from './demo-queries';

const RemoveDemoDialog = lazyPart(() => import('./remove-demo-dialog').then((file) => file.RemoveDemoDialog));

/** Banner on every page that marks the data as a demo and offers to remove it. */
export function DemoBanner({ demo }: { readonly demo: ShownDemo }) {
  const { t } = useTranslation('demo');
  const [isAsking, { open, close }] = useDisclosure();
  const wasAsking = useOnce(isAsking);
  useRefetchOnChange(demo.state);
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
      {isBusy && (
        <progress className={classes['progress']} value={share} max={100} aria-label={t('banner')} />
      )}
      {wasAsking && (
        <PartBoundary isOpen={isAsking} onMissing={close}>
          <RemoveDemoDialog isOpen={isAsking} onClose={close} />
        </PartBoundary>
      )}
    </section>
  );
}

/** Refetches all data when the state of the demo changes. */
function useRefetchOnChange(state: ShownDemo['state']): void {
  const client = useQueryClient();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state) void client.invalidateQueries();
    before.current = state;
  }, [state, client]);
}
