import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconLock, IconVideoOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import classes from './stage.module.css';
import type { Stream } from './use-stream';

/** Says in the place of the video why it is not there, and what can be done. */
export function StreamNotice({ stream }: { readonly stream: Stream }) {
  const { t } = useTranslation('recording');
  const { state, problem } = stream;
  if (state === 'playable') return null;
  const isFailed = state === 'failed' && problem !== undefined;
  return (
    <div className={classes['notice']} role="status">
      <Stack align="center" gap="xs" maw={420} ta="center">
        {state === 'pending' && <Loader color="white" aria-hidden />}
        {state === 'locked' && <IconLock size={40} stroke={1.5} aria-hidden />}
        {state !== 'pending' && state !== 'locked' && <IconVideoOff size={40} stroke={1.5} aria-hidden />}
        <Text fw={600}>{isFailed ? problemText(t, problem) : t(`media_${state}`)}</Text>
        {!isFailed && <Text size="sm">{t(`media_${state}_hint`)}</Text>}
        {state === 'locked' && (
          <Button onClick={() => void stream.unlock()} leftSection={<IconLock size={18} aria-hidden />}>
            {t('unlock_video')}
          </Button>
        )}
        {isFailed && <Button onClick={stream.again}>{t('retry', { ns: 'components' })}</Button>}
      </Stack>
    </div>
  );
}
