import { Modal, Stack, Text, ThemeIcon, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBinoculars, IconEar, IconZoomIn } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnUnlock } from '../../api/unlock';
import { HubPicture, type PictureFailure } from '../../components/pictures/hub-picture';
import { useTimeFormat } from '../../lib/format';
import type { Recording } from './recording-queries';
import classes from './sighting-stage.module.css';
import { stageSizes } from './stage';

interface SightingStageProps {
  readonly recording: Recording;
  /** Names of its species. */
  readonly name: string;
}

/** A sighting: a photo that can be enlarged, or a placeholder without one; with the note. */
export function SightingStage({ recording, name }: SightingStageProps) {
  const { t } = useTranslation('recording');
  const { note } = recording;
  return (
    <>
      {recording.media_kind === 'image' ? (
        <Photo recording={recording} name={name} />
      ) : (
        <WithoutMedia recording={recording} />
      )}
      {note !== null && (
        <figure className={classes['note']} aria-label={t('note')}>
          <blockquote>{note}</blockquote>
        </figure>
      )}
    </>
  );
}

function Photo({ recording, name }: SightingStageProps) {
  const { t } = useTranslation('recording');
  const { t: shared } = useTranslation('components');
  const [failed, setFailed] = useState<PictureFailure>();
  useOnUnlock(() => setFailed(undefined));
  const [isLarge, { open, close }] = useDisclosure(false);
  const { poster_url: address } = recording;
  const alt = t('photo', { name });
  if (failed !== undefined) {
    return (
      <div className={classes['stage']} role="status">
        <Text c="dimmed">
          {failed === 'unknown' || failed === 'none' ? shared('no_picture') : shared(`no_picture_${failed}`)}
        </Text>
      </div>
    );
  }
  return (
    <>
      <UnstyledButton
        className={classes['stage'] ?? ''}
        aria-label={`${t('enlarge')}: ${alt}`}
        onClick={open}
      >
        <HubPicture
          key={address}
          address={address}
          alt={alt}
          className={classes['photo']}
          isUrgent
          sizes={stageSizes}
          onFailed={setFailed}
        />
        <ThemeIcon className={classes['zoom'] ?? ''} size={34} radius="xl" color="dark" aria-hidden>
          <IconZoomIn size={20} />
        </ThemeIcon>
      </UnstyledButton>
      <Modal
        opened={isLarge}
        onClose={close}
        fullScreen
        title={alt}
        closeButtonProps={{ 'aria-label': t('close') }}
        transitionProps={{ duration: 0 }}
        classNames={{ body: classes['large'] ?? '' }}
      >
        <button type="button" className={classes['whole']} aria-label={t('close')} onClick={close}>
          <HubPicture
            key={address}
            address={address}
            alt={alt}
            className={classes['photo']}
            sizes="100vw"
            onFailed={close}
          />
        </button>
      </Modal>
    </>
  );
}

function WithoutMedia({ recording }: Pick<SightingStageProps, 'recording'>) {
  const { t } = useTranslation('recording');
  const { moment } = useTimeFormat();
  const { species, start_time } = recording;
  const isHeard = species.length > 0 && species.every(({ source }) => source === 'audio');
  const Icon = isHeard ? IconEar : IconBinoculars;
  return (
    <div className={classes['card']}>
      <Stack align="center" gap="xs" ta="center">
        <ThemeIcon size={64} radius="xl" variant="light">
          <Icon size={34} stroke={1.5} aria-hidden />
        </ThemeIcon>
        <Text fw={600}>{t(isHeard ? 'heard_by_person' : 'seen_by_person')}</Text>
        <Text c="dimmed">
          {t('birds', { count: species.length })} · {moment(start_time)}
        </Text>
      </Stack>
    </div>
  );
}
