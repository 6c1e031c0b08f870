import { ActionIcon, Button, Grid, Group, Tooltip } from '@mantine/core';
import { useFullscreenElement } from '@mantine/hooks';
import { IconDownload, type IconProps, IconStar, IconStarFilled, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { Problem } from '../../api/problem';
import { Page } from '../../components/page';
import { ShareButton } from '../../components/share/share-button';
import { Empty, Failure, Loading } from '../../components/states';
import { WhenNear } from '../../components/when-near';
import { useAreNamesLoading, useSpeciesName } from '../../i18n/species-names';
import { readStored, store } from '../../lib/storage';
import { useMedia } from '../../lib/use-media';
import { ensureRole } from '../session/ensure-role';
import { DetectionList } from './detection-list';
import { MoreMoments, momentsHeight } from './more-moments';
import { NeighborNav, useNeighbors } from './neighbor-nav';
import classes from './player.module.css';
import { type PictureControls, PlayerControls } from './player-controls';
import { usePlayerKeys } from './player-keys';
import { positionToShare } from './playhead';
import { RecordingFacts } from './recording-facts';
import { useDeleteRecording, useFavorite } from './recording-mutations';
import { isSighting, type Recording, recordingQuery, recordingSeconds } from './recording-queries';
import { SightingStage } from './sighting-stage';
import { SoundStage } from './sound-stage';
import { Spectrogram } from './spectrogram';
import { Stage, useStream } from './stage';
import { type Player, usePlayer } from './use-player';

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
  const { detection, t: second } = useSearch({ from: '/videos/$id' });
  const names = [...new Set(recording.species.map(({ species_name }) => nameOf(species_name)))];
  const title = names.length === 0 ? t('without_birds') : names.join(', ');
  if (isDeleted) {
    return (
      <Page isWide title={title}>
        <Empty icon={IconTrash} title={t('deleted')} action={<Button onClick={undo}>{t('undo')}</Button>}>
          {t('deleted_hint')}
        </Empty>
      </Page>
    );
  }
  const startAt = second ?? recording.species.find(({ id }) => id === detection)?.start_time;
  return (
    <RecordingDetails recording={recording} title={title} startAt={startAt} onDelete={() => void remove()} />
  );
}

/** A recording: player, detections, neighbours. */
export function RecordingPage() {
  const { t } = useTranslation('recording');
  const id = Number(useParams({ from: '/videos/$id' }).id);
  const { data, error, refetch } = useQuery(recordingQuery(id));
  // The height of the title depends on them.
  const areNamesLoading = useAreNamesLoading();
  if (data && !areNamesLoading) return <FoundRecording key={id} recording={data} />;
  if (error === null) {
    return (
      <Page isWide title={t('recording')}>
        <Loading rows={3} height={160} />
      </Page>
    );
  }
  const isGone = error instanceof Problem && gone.some((code) => code === error.code);
  return (
    <Page isWide title={t('recording')}>
      {isGone ? <Gone error={error} /> : <Failure error={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

interface RecordingDetailsProps {
  readonly recording: Recording;
  readonly title: string;
  /** Position to open at, in seconds. */
  readonly startAt: number | undefined;
  readonly onDelete: () => void;
}

/** Seconds that J and L skip. */
const skipSeconds = 5;

/** Player and detections of a recording. */
function RecordingDetails({ recording, title, startAt, onDelete }: RecordingDetailsProps) {
  const player = usePlayer(recordingSeconds(recording));
  const picture = usePictureControls();
  const toggleFavorite = useFavorite(recording);
  const [chosenId, setChosenId] = useState<number>();
  const root = useRef<HTMLDivElement>(null);
  usePlayheadStyle(root, player);
  useStartPosition(player, startAt);
  useRecordingKeys(recording, player, picture, toggleFavorite);

  return (
    <Page
      isWide
      title={title}
      actions={
        <RecordingActions
          recording={recording}
          title={title}
          player={player}
          onFavorite={toggleFavorite}
          onDelete={onDelete}
        />
      }
    >
      <NeighborNav recording={recording} />
      <Grid ref={root} gap="lg">
        <Grid.Col span={{ base: 12, md: 8, xl: 9 }}>
          {isSighting(recording) ? (
            <SightingStage recording={recording} name={title} />
          ) : (
            <RecordingPlayer
              recording={recording}
              player={player}
              picture={picture}
              chosenId={chosenId}
              label={title}
            />
          )}
          {recording.media_kind === 'video' && (
            <Spectrogram
              player={player}
              url={recording.spectrogram_url}
              kilohertz={recording.spectrogram_khz}
              detections={recording.species}
            />
          )}
          <RecordingFacts recording={recording} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4, xl: 3 }}>
          <DetectionList
            detections={recording.species}
            hasTimes={!isSighting(recording)}
            spectrogramUrl={recording.spectrogram_url}
            player={player}
            chosenId={chosenId}
            onChoose={setChosenId}
          />
        </Grid.Col>
      </Grid>
      <WhenNear height={momentsHeight}>
        <MoreMoments recording={recording} />
      </WhenNear>
    </Page>
  );
}

const boxesKey = 'birdhub.boxes';

/** Whether boxes are shown, which the browser remembers, and whether the picture is zoomed in. */
function usePictureControls(): PictureControls {
  const [hasBoxes, setHasBoxes] = useState(() => readStored(boxesKey) !== 'false');
  const [isZoomed, setIsZoomed] = useState(false);
  return {
    hasBoxes,
    onBoxes: () => {
      setHasBoxes(!hasBoxes);
      store(boxesKey, String(!hasBoxes));
    },
    isZoomed,
    onZoom: () => setIsZoomed(!isZoomed),
  };
}

/** Keeps the position of the player (0 to 1) in the CSS property `--playhead` of an element. */
function usePlayheadStyle(root: RefObject<HTMLElement | null>, { playhead, seconds }: Player): void {
  useEffect(() => {
    const draw = () =>
      root.current?.style.setProperty('--playhead', String(Math.min(1, playhead.time() / seconds)));
    draw();
    return playhead.subscribe(draw);
  }, [root, playhead, seconds]);
}

/** Moves the player to a position in seconds whenever it changes. */
function useStartPosition({ seek }: Player, startAt: number | undefined): void {
  const seekToStart = useEffectEvent((seconds: number) => seek(seconds));
  useEffect(() => {
    if (startAt !== undefined) seekToStart(startAt);
  }, [startAt]);
}

function useRecordingKeys(
  { id }: Recording,
  player: Player,
  { onBoxes, onZoom }: PictureControls,
  toggleFavorite: () => void,
): void {
  const navigate = useNavigate();
  const { previous, next } = useNeighbors(id);
  const goTo = (other: number | null | undefined) => {
    if (other) void navigate({ to: '/videos/$id', params: { id: String(other) } });
  };
  const skip = (seconds: number) => player.seek(player.playhead.time() + seconds);
  usePlayerKeys({
    toggle: player.toggle,
    frame_back: () => player.step(-1),
    frame_forward: () => player.step(1),
    back: () => skip(-skipSeconds),
    forward: () => skip(skipSeconds),
    previous: () => goTo(previous),
    next: () => goTo(next),
    mute: () => player.mute(!player.isMuted),
    boxes: onBoxes,
    zoom: onZoom,
    favorite: toggleFavorite,
  });
}

interface RecordingPlayerProps {
  readonly recording: Recording;
  readonly player: Player;
  readonly picture: PictureControls;
  readonly chosenId: number | undefined;
  /** Accessible name. */
  readonly label: string;
}

/** The video or the sound with its controls. */
function RecordingPlayer({ recording, player, picture, chosenId, label }: RecordingPlayerProps) {
  const stream = useStream(recording);
  const { ref, toggle: toggleFullscreen, fullscreen } = useFullscreenElement();
  const isSound = recording.media_kind === 'audio';
  return (
    <div ref={ref} className={classes['player']}>
      {isSound ? (
        <SoundStage recording={recording} player={player} stream={stream} />
      ) : (
        <Stage
          recording={recording}
          player={player}
          stream={stream}
          hasBoxes={picture.hasBoxes}
          isZoomed={picture.isZoomed}
          // Only called while the picture is zoomed in.
          onUnzoom={picture.onZoom}
          chosenId={chosenId}
          label={label}
        />
      )}
      {stream.state === 'playable' && (
        <PlayerControls
          player={player}
          picture={isSound ? undefined : picture}
          isFullscreen={fullscreen}
          onFullscreen={() => void toggleFullscreen()}
        />
      )}
    </div>
  );
}

interface RecordingActionsProps {
  readonly recording: Recording;
  readonly title: string;
  readonly player: Player;
  readonly onFavorite: () => void;
  readonly onDelete: () => void;
}

async function download(id: number): Promise<void> {
  if (await ensureRole('contributor')) window.location.assign(hubUrl(`/api/ui/videos/${id}/download`));
}

const downloads = { video: 'download', audio: 'download_audio', image: 'download_image' } as const;

/** Buttons: favourite, share, download, and a less prominent one to delete. */
function RecordingActions({ recording, title, player, onFavorite, onDelete }: RecordingActionsProps) {
  const { t } = useTranslation('recording');
  const { id, favorite, media, media_kind } = recording;
  const shareable = () => {
    const lengths = { played: player.seconds, reported: recordingSeconds(recording) };
    const seconds = isSighting(recording) ? undefined : positionToShare(player.playhead, lengths);
    return { videoId: id, ...(seconds !== undefined && { t: seconds }) };
  };
  return (
    <Group gap="xs">
      <Action
        label={t('key_favorite')}
        icon={favorite ? IconStarFilled : IconStar}
        isPressed={favorite}
        onAct={onFavorite}
      />
      <ShareButton what={shareable} title={title} />
      {media === 'ready' && (
        <Action
          label={t(downloads[media_kind ?? 'video'])}
          icon={IconDownload}
          onAct={() => void download(id)}
        />
      )}
      <Action
        label={t(isSighting(recording) ? 'delete_sighting' : 'delete')}
        icon={IconTrash}
        isQuiet
        onAct={onDelete}
      />
    </Group>
  );
}

interface ActionProps {
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  readonly onAct: () => void;
  readonly isPressed?: boolean;
  readonly isQuiet?: boolean;
}

function Action({ label, icon: Icon, onAct, isPressed, isQuiet = false }: ActionProps) {
  const canHover = useMedia('(hover: hover)');
  return (
    <Tooltip label={label} openDelay={400} disabled={!canHover}>
      <ActionIcon
        variant={isQuiet ? 'subtle' : isPressed ? 'light' : 'default'}
        color={isPressed ? 'yellow' : 'gray'}
        size={40}
        aria-label={label}
        aria-pressed={isPressed}
        onClick={onAct}
      >
        <Icon size={20} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
