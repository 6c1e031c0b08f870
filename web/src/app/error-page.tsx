import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../components/states';
import { MissingPart } from './component-styles/lazy-part';
import { reloadOnce } from './reload-once';

/** Shown in place of a page that did not load or failed; reloads by itself once if the hub was updated. */
export function ErrorPage({ error }: ErrorComponentProps) {
  const { t } = useTranslation('app');
  const isMissing = error instanceof MissingPart;
  useEffect(() => {
    if (isMissing) void reloadOnce();
  }, [isMissing]);
  return (
    <div role="alert">
      <Empty
        icon={IconAlertTriangle}
        title={t('failed', { ns: 'components' })}
        action={<Button onClick={() => window.location.reload()}>{t('reload')}</Button>}
      >
        {isMissing ? t('part_missing') : t('unexpected', { ns: 'components' })}
      </Empty>
    </div>
  );
}
