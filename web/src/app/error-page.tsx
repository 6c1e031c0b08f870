import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { basePath } from '../api/hub-url';
import { MissingPart } from '../components/lazy-part';
import { Empty } from '../components/states';
import { isReachable, reloadOnce } from '../lib/reload-once';

const wallRetryMs = 30_000;

/**
 * Shown in place of a page that did not load or failed; reloads by itself once if the hub was updated. On a wall
 * display, where nobody can press the button, it reloads whenever the hub can be reached.
 */
export function ErrorPage({ error }: ErrorComponentProps) {
  const { t } = useTranslation('app');
  const isMissing = error instanceof MissingPart;
  useEffect(() => {
    if (isMissing) void reloadOnce();
  }, [isMissing]);
  useEffect(() => {
    if (window.location.pathname !== `${basePath}/wall`) return undefined;
    const timer = setInterval(async () => (await isReachable()) && window.location.reload(), wallRetryMs);
    return () => clearInterval(timer);
  }, []);
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
