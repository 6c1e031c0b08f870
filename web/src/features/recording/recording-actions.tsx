import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconDownload, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { ensureRole } from '../session/access';
import type { Recording } from './recording-queries';

interface RecordingActionsProps {
  readonly recording: Recording;
  readonly onFavorite: () => void;
  readonly onDelete: () => void;
}

async function download(id: number): Promise<void> {
  if (await ensureRole('contributor')) window.location.assign(hubUrl(`/api/ui/videos/${id}/download`));
}

/** What can be done with a whole recording. */
export function RecordingActions({ recording, onFavorite, onDelete }: RecordingActionsProps) {
  const { t } = useTranslation('recording');
  const { id, favorite, media } = recording;
  const canHover = useMediaQuery('(hover: hover)', undefined, { getInitialValueInEffect: false });
  const buttons = [
    {
      label: t('key_favorite'),
      icon: favorite ? IconStarFilled : IconStar,
      isPressed: favorite,
      act: onFavorite,
    },
    ...(media === 'ready'
      ? [{ label: t('download'), icon: IconDownload, act: () => void download(id) }]
      : []),
    { label: t('delete'), icon: IconTrash, act: onDelete },
  ];
  return (
    <Group gap="xs">
      {buttons.map(({ label, icon: Icon, act, ...state }) => (
        <Tooltip key={label} label={label} openDelay={400} disabled={!canHover}>
          <ActionIcon
            variant="default"
            size={40}
            aria-label={label}
            aria-pressed={'isPressed' in state ? state.isPressed : undefined}
            onClick={act}
          >
            <Icon size={20} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}
