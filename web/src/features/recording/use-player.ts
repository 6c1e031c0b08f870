import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { createPlayhead, type Playhead } from './playhead';

/** State and controls of a video element. */
export interface Player {
  readonly playhead: Playhead;
  /** Length in seconds. */
  readonly seconds: number;
  /** Size of the video in pixels, 0 until known. */
  readonly picture: { readonly width: number; readonly height: number };
  readonly isPlaying: boolean;
  readonly isMuted: boolean;
  readonly rate: number;
  /** For `<video {...videoProps}>`. */
  readonly videoProps: React.ComponentProps<'video'>;
  readonly toggle: () => void;
  readonly seek: (time: number) => void;
  /** Steps one frame. */
  readonly step: (direction: 1 | -1) => void;
  readonly mute: (isMuted: boolean) => void;
  readonly setRate: (rate: number) => void;
}

/** Controls a video; `reportedSeconds` is its length until the metadata is loaded. */
export function usePlayer(reportedSeconds: number): Player {
  const video = useRef<HTMLVideoElement>(null);
  const playhead = useMemo(createPlayhead, []);
  const [measured, setMeasured] = useState<number>();
  const [picture, setPicture] = useState({ width: 0, height: 0 });
  const [isPlaying, setPlaying] = useState(false);
  const [isMuted, setMuted] = useState(false);
  const [rate, setRate] = useState(1);
  const seconds = measured ?? reportedSeconds;

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
      if (video.current?.paused) play(video.current);
      else video.current?.pause();
    },
    step: (direction) => {
      video.current?.pause();
      // Slightly into the frame, as frame times are not exact in binary.
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

/** Errors are reported by the `error` event; a pause before playback starts rejects with a DOMException. */
function play(video: HTMLVideoElement): void {
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
