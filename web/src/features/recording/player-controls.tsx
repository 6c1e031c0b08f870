import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import {
  IconFocusCentered,
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  type IconProps,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyHelp } from './key-help';
import { positionText } from './position-text';
import { SeekRange } from './seek-range';
import { SpeedMenu } from './speed-menu';
import classes from './stage.module.css';
import { type Player, usePlayhead } from './use-player';

interface ControlProps {
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  readonly onPress: () => void;
  readonly isFilled?: boolean;
  /** Of something that is on or off. */
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

interface PlayerControlsProps {
  readonly player: Player;
  readonly hasBoxes: boolean;
  readonly onBoxes: () => void;
  readonly isFullscreen: boolean;
  readonly onFullscreen: () => void;
}

/** Plays, steps, seeks, mutes, and fills the screen. */
export function PlayerControls(props: PlayerControlsProps) {
  const { player, hasBoxes, onBoxes, isFullscreen, onFullscreen } = props;
  const { t } = useTranslation('recording');
  const { isPlaying, isMuted } = player;
  return (
    <div className={classes['controls']}>
      <SeekRange player={player} label={t('seek')} />
      <Group gap={0} wrap="wrap" justify="space-between">
        <Group gap={0} wrap="nowrap">
          <Control label={t('frame_back')} icon={IconPlayerSkipBack} onPress={() => player.step(-1)} />
          <Control
            label={t(isPlaying ? 'pause' : 'play')}
            icon={isPlaying ? IconPlayerPauseFilled : IconPlayerPlayFilled}
            onPress={player.toggle}
            isFilled
          />
          <Control label={t('frame_forward')} icon={IconPlayerSkipForward} onPress={() => player.step(1)} />
          <Position player={player} />
        </Group>
        <Group gap={0} wrap="nowrap" ml="auto">
          <Control label={t('boxes')} icon={IconFocusCentered} onPress={onBoxes} isPressed={hasBoxes} />
          <SpeedMenu rate={player.rate} onChoose={player.setRate} />
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
          <KeyHelp />
        </Group>
      </Group>
    </div>
  );
}
