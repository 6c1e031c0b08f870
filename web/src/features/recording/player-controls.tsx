import { ActionIcon, Button, Group, Kbd, Menu, Popover, Stack, Switch, Text, Tooltip } from '@mantine/core';
import {
  IconFocusCentered,
  IconKeyboard,
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  type IconProps,
  IconVolume,
  IconVolumeOff,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import type { ComponentType, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import classes from './player.module.css';
import { positionText } from './playhead';
import { type Player, usePlayhead } from './use-player';

interface ControlProps {
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  readonly onPress: () => void;
  readonly isFilled?: boolean;
  /** Set for toggle buttons. */
  readonly isPressed?: boolean;
}

function Control({ label, icon: Icon, onPress, isFilled = false, isPressed }: ControlProps) {
  return (
    <Tooltip label={label} openDelay={400}>
      <ActionIcon
        variant={isFilled ? 'filled' : isPressed ? 'light' : 'subtle'}
        size={34}
        aria-label={label}
        aria-pressed={isPressed}
        onClick={onPress}
      >
        <Icon size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

function Position({ player }: { readonly player: Player }) {
  const time = usePlayhead(player.playhead, (now) => positionText(now, true));
  return (
    <Text size="sm" ml={6} className={classes['time']}>
      {time} / {positionText(player.seconds)}
    </Text>
  );
}

/** State and handlers of boxes and zoom. */
export interface PictureControls {
  readonly hasBoxes: boolean;
  readonly onBoxes: () => void;
  readonly isZoomed: boolean;
  readonly onZoom: () => void;
}

interface PlayerControlsProps {
  readonly player: Player;
  /** Undefined for an audio-only recording. */
  readonly picture: PictureControls | undefined;
  readonly isFullscreen: boolean;
  readonly onFullscreen: () => void;
}

/** Controls of the player. */
export function PlayerControls(props: PlayerControlsProps) {
  const { player, picture, isFullscreen, onFullscreen } = props;
  const { t } = useTranslation('recording');
  const { isPlaying, isMuted } = player;
  return (
    <div className={classes['controls']}>
      {picture && <SeekRange player={player} label={t('seek')} />}
      <Group gap={0} wrap="wrap" justify="space-between">
        <Group gap={0} wrap="nowrap">
          {picture && (
            <Control label={t('frame_back')} icon={IconPlayerSkipBack} onPress={() => player.step(-1)} />
          )}
          <Control
            label={t(isPlaying ? 'pause' : 'play')}
            icon={isPlaying ? IconPlayerPauseFilled : IconPlayerPlayFilled}
            onPress={player.toggle}
            isFilled
          />
          {picture && (
            <Control label={t('frame_forward')} icon={IconPlayerSkipForward} onPress={() => player.step(1)} />
          )}
          <Position player={player} />
        </Group>
        <Group gap={0} wrap="nowrap" ml="auto">
          {picture ? (
            <>
              <Control
                label={t('zoom')}
                icon={picture.isZoomed ? IconZoomOut : IconZoomIn}
                onPress={picture.onZoom}
                isPressed={picture.isZoomed}
              />
              <Control
                label={t('boxes')}
                icon={IconFocusCentered}
                onPress={picture.onBoxes}
                isPressed={picture.hasBoxes}
              />
            </>
          ) : (
            <Switch
              size="sm"
              mx={6}
              label={t('high_pass')}
              checked={player.isHighPass}
              onChange={({ currentTarget }) => player.setHighPass(currentTarget.checked)}
            />
          )}
          <SpeedMenu rates={picture ? rates : soundRates} rate={player.rate} onChoose={player.setRate} />
          <Control
            label={t(isMuted ? 'unmute' : 'mute')}
            icon={isMuted ? IconVolumeOff : IconVolume}
            onPress={() => player.mute(!isMuted)}
          />
          {document.fullscreenEnabled && (
            <Control
              label={t(isFullscreen ? 'leave_fullscreen' : 'fullscreen')}
              icon={isFullscreen ? IconMinimize : IconMaximize}
              onPress={onFullscreen}
            />
          )}
          <KeyHelp isVideo={picture !== undefined} />
        </Group>
      </Group>
    </div>
  );
}

interface SeekRangeProps {
  readonly player: Player;
  readonly label: string;
  /** Transparent, to be laid over the spectrogram. */
  readonly isClear?: boolean;
  /** Whether arrow keys move by a second and the space bar plays. */
  readonly hasSecondSteps?: boolean;
}

const secondsByKey: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
};

/** Slider of the playback position. */
export function SeekRange({ player, label, isClear = false, hasSecondSteps = false }: SeekRangeProps) {
  const { t } = useTranslation('recording');
  const { playhead, seconds, seek, toggle } = player;
  const time = usePlayhead(playhead, (now) => Math.round(now * 20) / 20);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = secondsByKey[event.key];
    if (step === undefined && event.key !== ' ') return;
    event.preventDefault();
    if (step === undefined) toggle();
    else seek(playhead.time() + step);
  };
  return (
    <input
      type="range"
      className={classes['range']}
      data-clear={isClear || undefined}
      aria-label={label}
      aria-valuetext={t('position', { time: positionText(time), length: positionText(seconds) })}
      min={0}
      max={seconds}
      step={0.05}
      value={Math.min(time, seconds)}
      onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
      onKeyDown={hasSecondSteps ? onKeyDown : undefined}
    />
  );
}

const rates = [0.1, 0.25, 0.5, 1, 2];
const soundRates = [0.5, 1, 2];

/** Playback speed. */
function SpeedMenu(props: {
  readonly rates: readonly number[];
  readonly rate: number;
  readonly onChoose: (rate: number) => void;
}) {
  const { t } = useTranslation('recording');
  const { number } = useTimeFormat();
  return (
    <Menu position="top" withinPortal={false}>
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          h={34}
          px={6}
          aria-label={t('speed_now', { rate: number(props.rate, 2) })}
        >
          {number(props.rate, 2)}×
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('speed')}</Menu.Label>
        {props.rates.map((rate) => (
          <Menu.Item
            key={rate}
            fw={rate === props.rate ? 700 : undefined}
            onClick={() => props.onChoose(rate)}
          >
            {number(rate, 2)}×
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const lines = [
  { keys: ['␣'], text: 'key_toggle' },
  { keys: [',', '.'], text: 'key_frames', isOfVideo: true },
  { keys: ['J', 'L'], text: 'key_seconds' },
  { keys: ['←', '→'], text: 'key_neighbors' },
  { keys: ['B'], text: 'key_boxes', isOfVideo: true },
  { keys: ['Z'], text: 'key_zoom', isOfVideo: true },
  { keys: ['M'], text: 'key_mute' },
  { keys: ['F'], text: 'key_favorite' },
] as const;

/** Help for the player's keys; hidden on phones. */
function KeyHelp({ isVideo }: { readonly isVideo: boolean }) {
  const { t } = useTranslation('recording');
  const shown = lines.filter((line) => isVideo || !('isOfVideo' in line));
  return (
    <Popover position="top-end" withinPortal={false}>
      <Popover.Target>
        <ActionIcon variant="subtle" size={34} aria-label={t('keys')} visibleFrom="sm">
          <IconKeyboard size={20} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          {shown.map(({ keys, text }) => (
            <Group key={text} gap="sm" wrap="nowrap">
              <Group gap={4} w={64} wrap="nowrap">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </Group>
              <Text size="sm">{t(text)}</Text>
            </Group>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
