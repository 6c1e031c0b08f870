import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createPlayhead, type Playhead } from './playhead';

/** A video element as the page drives it. */
export interface Player {
  readonly playhead: Playhead;
  /** Length in seconds. */
  readonly seconds: number;
  /** Width and height of the video's pictures in pixels, 0 until they are known. */
  readonly picture: { readonly width: number; readonly height: number };
  readonly isPlaying: boolean;
  readonly isMuted: boolean;
  readonly rate: number;
  /** For `<video {...videoProps}>`. */
  readonly videoProps: React.ComponentProps<'video'>;
  readonly toggle: () => void;
  readonly seek: (time: number) => void;
  /** One picture on, or back by -1. */
  readonly step: (direction: 1 | -1) => void;
  readonly mute: (isMuted: boolean) => void;
  readonly setRate: (rate: number) => void;
}

/** Drives one video; `told` is its length in seconds until the file says it. */
export function usePlayer(told: number): Player {
  const video = useRef<HTMLVideoElement>(null);
  const playhead = useMemo(createPlayhead, []);
  const [measured, setMeasured] = useState<number>();
  const [picture, setPicture] = useState({ width: 0, height: 0 });
  const [isPlaying, setPlaying] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const [rate, setRate] = useState(1);
  const seconds = measured ?? told;

  const attach = useCallback(
    (element: HTMLVideoElement) => {
      video.current = element;
      const stop = playhead.follow(element);
      return () => {
        stop();
        video.current = null;
      };
    },
    [playhead],
  );
  const seek = (time: number) => {
    if (video.current) video.current.currentTime = Math.min(Math.max(0, time), seconds);
  };
  return {
    playhead,
    seconds,
    picture,
    isPlaying,
    isMuted,
    rate,
    seek,
    videoProps: {
      ref: attach,
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onVolumeChange: ({ currentTarget }) => setMuted(currentTarget.muted),
      onRateChange: ({ currentTarget }) => setRate(currentTarget.playbackRate),
      onLoadedMetadata: ({ currentTarget }) => {
        if (Number.isFinite(currentTarget.duration)) setMeasured(currentTarget.duration);
        setPicture({ width: currentTarget.videoWidth, height: currentTarget.videoHeight });
      },
    },
    toggle: () => {
      if (video.current?.paused) playOf(video.current);
      else video.current?.pause();
    },
    step: (direction) => {
      video.current?.pause();
      // A little into the picture, as its own time is no number that a computer has.
      seek(playhead.time() + direction * playhead.frameSeconds() + 0.002);
    },
    mute: (next) => {
      if (video.current) video.current.muted = next;
    },
    setRate: (next) => {
      if (video.current) video.current.playbackRate = next;
    },
  };
}

/** What keeps a video from playing is told by its `error` event; a pause that comes between is no failure. */
function playOf(video: HTMLVideoElement): void {
  video.play().catch((cause: unknown) => {
    if (!(cause instanceof DOMException)) throw cause;
  });
}

/** A value drawn from where the recording has come to; only its changes draw anew. */
export function usePlayhead<T extends string | number | boolean>(
  playhead: Playhead,
  valueAt: (time: number) => T,
): T {
  return useSyncExternalStore(playhead.subscribe, () => valueAt(playhead.time()));
}
