import { Button, SimpleGrid } from '@mantine/core';
import { IconVideo } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { camerasQuery } from '../../lib/cameras';
import { LiveTile } from './live-tile';

/** Live pictures of all cameras. */
export function LivePage() {
  const { t } = useTranslation('live-view');
  return (
    <Page isWide title={t('title')}>
      <LiveCameras />
    </Page>
  );
}

function LiveCameras() {
  const { t } = useTranslation(['live-view', 'region']);
  const { data, error, refetch } = useQuery(camerasQuery);
  if (data === undefined) {
    return error === null ? (
      <Loading rows={2} height={260} />
    ) : (
      <Failure error={error} onRetry={() => void refetch()} />
    );
  }
  const watchable = data.filter(({ stream_url, enabled }) => stream_url !== null && enabled);
  if (!watchable.length) {
    return (
      <Empty
        icon={IconVideo}
        title={t('empty')}
        action={
          <Button
            renderRoot={(props) => (
              <Link {...props} to="/settings" hash="cameras" hashScrollIntoView={false} />
            )}
          >
            {t('to_settings', { ns: 'region' })}
          </Button>
        }
      >
        {t('empty_hint')}
      </Empty>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: watchable.length > 1 ? 2 : 1, xl: Math.min(3, watchable.length) }}>
      {watchable.map(({ id, name }) => (
        <LiveTile key={id} id={id} name={name} isLinked />
      ))}
    </SimpleGrid>
  );
}
