import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { type Recording, recordingQuery } from './recording-queries';
import { RecordingView } from './recording-view';
import { useDeleteRecording } from './use-delete-recording';

const gone = ['recording_deleted', 'video_not_found', 'invalid_request'] as const;

function Gone({ error }: { readonly error: Error }) {
  const { t } = useTranslation('recording');
  const code = gone.find((one) => error instanceof Problem && error.code === one);
  if (code === undefined) return null;
  return (
    <Empty
      icon={IconTrash}
      title={t(code === 'recording_deleted' ? 'gone_deleted' : 'gone_unknown')}
      action={<Button renderRoot={(props) => <Link to="/timeline" {...props} />}>{t('to_timeline')}</Button>}
    >
      {t(code === 'recording_deleted' ? 'gone_deleted_hint' : 'gone_unknown_hint')}
    </Empty>
  );
}

function FoundRecording({ recording }: { readonly recording: Recording }) {
  const { t } = useTranslation('recording');
  const nameOf = useSpeciesName();
  const { isDeleted, remove, undo } = useDeleteRecording(recording);
  const { detection } = useSearch({ from: '/videos/$id' });
  const names = [...new Set(recording.species.map(({ species_name }) => nameOf(species_name)))];
  const title = names.length === 0 ? t('without_birds') : names.join(', ');
  if (isDeleted) {
    return (
      <Page title={title}>
        <Empty icon={IconTrash} title={t('deleted')} action={<Button onClick={undo}>{t('undo')}</Button>}>
          {t('deleted_hint')}
        </Empty>
      </Page>
    );
  }
  const startAt = recording.species.find(({ id }) => id === detection)?.start_time;
  return (
    <RecordingView recording={recording} title={title} startAt={startAt} onDelete={() => void remove()} />
  );
}

/** One recording: the player, what was seen in it, and the ways to its neighbours. */
export function RecordingPage() {
  const { t } = useTranslation('recording');
  const id = Number(useParams({ from: '/videos/$id' }).id);
  const { data, error, refetch } = useQuery(recordingQuery(id));
  if (data) return <FoundRecording key={id} recording={data} />;
  if (error === null) {
    return (
      <Page title={t('recording')}>
        <Loading rows={3} height={160} />
      </Page>
    );
  }
  const isGone = error instanceof Problem && gone.some((code) => code === error.code);
  return (
    <Page title={t('recording')}>
      {isGone ? <Gone error={error} /> : <Failure error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}
