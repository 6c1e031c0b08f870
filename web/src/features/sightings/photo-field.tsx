import { Button, CloseButton, FileButton, Group, Input, Loader, Text } from '@mantine/core';
import { IconCamera, IconCheck, IconPhoto } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { useMedia } from '../../lib/use-media';
import { useObjectUrl } from '../../lib/use-object-url';
import { type Photo, preparePhoto } from './photo';
import { photoInstant } from './sighting-time';
import classes from './sightings.module.css';

interface PhotoFieldProps {
  readonly photo: Photo | undefined;
  readonly isPreparing: boolean;
  /** Time of the sighting; undefined for now. */
  readonly time: Date | undefined;
  readonly error: string | undefined;
  readonly onChange: (photo: Photo | undefined) => void;
  /** Called when a photo has been selected; `onChange` follows. */
  readonly onPrepare: () => void;
  readonly onTakeTime: (instant: Date) => void;
}

/** Takes or selects a photo, shows it, and offers its time. */
export function PhotoField(props: PhotoFieldProps) {
  const { photo, isPreparing, time, error, onChange, onPrepare, onTakeTime } = props;
  const { t } = useTranslation('sightings');
  const hasCamera = useMedia('(pointer: coarse)');
  const [isFailed, setIsFailed] = useState(false);
  const latest = useRef<File>(undefined);
  const choose = async (file: File | null) => {
    if (file === null) return;
    latest.current = file;
    setIsFailed(false);
    onPrepare();
    const prepared = await preparePhoto(file).catch(() => undefined);
    // Another photo has been selected since.
    if (latest.current !== file) return;
    onChange(prepared);
    setIsFailed(prepared === undefined);
  };
  const button = (text: 'take_photo' | 'choose_photo', Icon: typeof IconPhoto) => (
    <FileButton
      accept="image/*"
      onChange={(file) => void choose(file)}
      {...(text === 'take_photo' && { capture: 'environment' as const })}
    >
      {(props) => (
        <Button {...props} variant="light" leftSection={<Icon size={18} aria-hidden />}>
          {t(text)}
        </Button>
      )}
    </FileButton>
  );
  return (
    <Input.Wrapper
      label={t('photo')}
      labelElement="div"
      error={error ?? (isFailed ? t('photo_failed') : undefined)}
    >
      {photo === undefined ? (
        <div className={classes['drop']}>
          {isPreparing ? (
            <Group gap="xs" role="status">
              <Loader size="sm" aria-hidden />
              <Text size="sm">{t('photo_preparing')}</Text>
            </Group>
          ) : (
            <Group gap="xs" justify="center">
              {hasCamera && button('take_photo', IconCamera)}
              {button('choose_photo', IconPhoto)}
            </Group>
          )}
          <Text size="xs" c="dimmed" ta="center">
            {t('photo_optional')}
          </Text>
        </div>
      ) : (
        <Preview photo={photo} time={time} onRemove={() => onChange(undefined)} onTakeTime={onTakeTime} />
      )}
    </Input.Wrapper>
  );
}

interface PreviewProps {
  readonly photo: Photo;
  readonly time: Date | undefined;
  readonly onRemove: () => void;
  readonly onTakeTime: (instant: Date) => void;
}

function Preview({ photo, time, onRemove, onTakeTime }: PreviewProps) {
  const { t } = useTranslation('sightings');
  const address = useObjectUrl(photo.blob);
  return (
    <div className={classes['preview']}>
      <div className={classes['photo']}>
        {address && <img src={address} alt={t('photo_alt')} />}
        <CloseButton
          className={classes['remove'] ?? ''}
          variant="filled"
          size="lg"
          radius="xl"
          aria-label={t('photo_remove')}
          onClick={onRemove}
        />
      </div>
      <PhotoTime photo={photo} time={time} onTakeTime={onTakeTime} />
    </div>
  );
}

const minuteMs = 60_000;

/** The time of the photo, with a button that uses it for the sighting. */
function PhotoTime({ photo, time, onTakeTime }: Omit<PreviewProps, 'onRemove'>) {
  const { t } = useTranslation('sightings');
  const { zone } = useHubFacts();
  const { clock, moment, dayOf, today } = useTimeFormat();
  const instant = photoInstant(photo.takenAt, zone, new Date());
  if (instant === undefined) return null;
  const when = dayOf(instant) === today() ? clock(instant) : moment(instant);
  const isUsed = time !== undefined && Math.abs(time.getTime() - instant.getTime()) < minuteMs;
  return (
    <Group gap="xs" mt={6} justify="space-between" mih={36}>
      <Text size="sm">{t('taken_at', { when })}</Text>
      {isUsed ? (
        <Group gap={4} c="dimmed" role="status">
          <IconCheck size={16} aria-hidden />
          <Text size="sm">{t('time_used')}</Text>
        </Group>
      ) : (
        <Button variant="light" size="compact-md" onClick={() => onTakeTime(instant)}>
          {t('use_time')}
        </Button>
      )}
    </Group>
  );
}
