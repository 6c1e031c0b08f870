import { type SyntheticEvent, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { releaseHighPass, setHighPass } from './high-pass';
import { createPlayhead, type Playhead } from './playhead';

/** State and controls of a media element, video or audio. */
export interface Player {
  readonly playhead: Playhead;
  /** Length in seconds. */
  readonly seconds: number;
  /** Size of the video in pixels, 0 until known. */
  readonly picture: { readonly width: number; readonly height: number };
  readonly isPlaying: boolean;
  readonly isMuted: boolean;
  readonly rate: number;
  /** Whether sound below 500 Hz is filtered out. */
  readonly isHighPass: boolean;
  /** For `<video {...mediaProps}>`, or `<audio>`. */
  readonly mediaProps: MediaProps;
  readonly toggle: () => void;
  readonly seek: (time: number) => void;
  /** Steps one frame. */
  readonly step: (direction: 1 | -1) => void;
  readonly mute: (isMuted: boolean) => void;
  readonly setRate: (rate: number) => void;
  readonly setHighPass: (isOn: boolean) => void;
}

type MediaEvent = SyntheticEvent<HTMLMediaElement>;

/** Props for a media element. */
interface MediaProps {
  readonly ref: (element: HTMLMediaElement | null) => (() => void) | undefined;
  readonly onPlay: () => void;
  readonly onPause: () => void;
  readonly onVolumeChange: (event: MediaEvent) => void;
  readonly onRateChange: (event: MediaEvent) => void;
  readonly onLoadedMetadata: (event: MediaEvent) => void;
}

/** Controls a media element; `reportedSeconds` is its length until the metadata is loaded. */
export function usePlayer(reportedSeconds: number): Player {
  const video = useRef<HTMLMediaElement>(null);
  const playhead = useMemo(createPlayhead, []);
  const [measured, setMeasured] = useState<number>();
  const [picture, setPicture] = useState({ width: 0, height: 0 });
  const [isPlaying, setPlaying] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const [rate, setRate] = useState(1);
  const [isHighPass, setIsHighPass] = useState(false);
  const seconds = measured ?? reportedSeconds;
  /** What was chosen, for a new element after a failure. */
  const chosen = useRef<Choices>({ isMuted: false, rate: 1, isHighPass: false });

  const attach = useCallback(
    (element: HTMLMediaElement | null) => {
      if (!element) return undefined;
      video.current = element;
      // A new element, after a failure, continues where and as the previous one was.
      const time = playhead.time();
      if (time > 0) element.currentTime = time;
      apply(element, chosen.current);
      const stop = playhead.follow(element);
      return () => {
        stop();
        releaseHighPass(element);
        setPlaying(false);
        video.current = null;
      };
    },
    [playhead],
  );
  const choose = (change: Partial<Choices>) => {
    chosen.current = { ...chosen.current, ...change };
    if (video.current) apply(video.current, chosen.current);
  };
  const seek = (time: number) => {
    if (!video.current) return;
    video.current.currentTime = Math.min(Math.max(0, time), seconds);
    playhead.moveTo(video.current.currentTime);
  };
  return {
    playhead,
    seconds,
    picture,
    isPlaying,
    isMuted,
    rate,
    isHighPass,
    seek,
    mediaProps: {
      ref: attach,
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onVolumeChange: ({ currentTarget }) => setMuted(currentTarget.muted),
      onRateChange: ({ currentTarget }) => setRate(currentTarget.playbackRate),
      onLoadedMetadata: ({ currentTarget }) => {
        if (Number.isFinite(currentTarget.duration)) setMeasured(currentTarget.duration);
        if (currentTarget instanceof HTMLVideoElement)
          setPicture({ width: currentTarget.videoWidth, height: currentTarget.videoHeight });
      },
    },
    toggle: () => {
      if (video.current?.paused) play(video.current);
      else video.current?.pause();
    },
    step: (direction) => {
      video.current?.pause();
      // Slightly into the frame, as frame times are not exact in binary.
      seek(playhead.time() + direction * playhead.frameSeconds() + 0.002);
    },
    mute: (isMuted) => choose({ isMuted }),
    setRate: (rate) => choose({ rate }),
    setHighPass: (isHighPass) => {
      setIsHighPass(isHighPass);
      choose({ isHighPass });
    },
  };
}

type Choices = Pick<Player, 'isMuted' | 'rate' | 'isHighPass'>;

function apply(element: HTMLMediaElement, { isMuted, rate, isHighPass }: Choices): void {
  element.muted = isMuted;
  // Loading a file resets the rate to the default one.
  element.defaultPlaybackRate = rate;
  element.playbackRate = rate;
  setHighPass(element, isHighPass);
}

/** Errors are reported by the `error` event; a pause before playback starts rejects with a DOMException. */
function play(video: HTMLMediaElement): void {
  video.play().catch((cause: unknown) => {
    if (!(cause instanceof DOMException)) throw cause;
  });
}

/** Derives a value from the playback position; renders only when it changes. */
export function usePlayhead<T extends string | number | boolean>(
  playhead: Playhead,
  valueAt: (time: number) => T,
): T {
  return useSyncExternalStore(playhead.subscribe, () => valueAt(playhead.time()));
}
