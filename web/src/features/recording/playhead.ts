/** Playback position, updated at every video frame. */
export interface Playhead {
  /** Seconds from the start. */
  readonly time: () => number;
  readonly subscribe: (listener: () => void) => () => void;
  /** Moves immediately to the target of a seek, which the media element reports only later. */
  readonly moveTo: (time: number) => void;
  /** Follows a media element until the returned function is called. */
  readonly follow: (media: HTMLMediaElement) => () => void;
  /** Measured seconds between two frames. */
  readonly frameSeconds: () => number;
}

const defaultFrameSeconds = 1 / 25;
const maxFrameSeconds = 0.25;

/** Creates a playhead at the start. */
export function createPlayhead(): Playhead {
  let time = 0;
  let frameSeconds = defaultFrameSeconds;
  const listeners = new Set<() => void>();

  function move(next: number): void {
    if (next === time) return;
    time = next;
    for (const listener of listeners) listener();
  }

  /** Updates at every video frame. */
  function followVideoFrames(video: HTMLVideoElement): () => void {
    let before: number | undefined;
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      const passed = mediaTime - (before ?? mediaTime);
      if (!video.paused && passed > 0 && passed < maxFrameSeconds) frameSeconds = passed;
      before = mediaTime;
      move(mediaTime);
      request = video.requestVideoFrameCallback(onFrame);
    };
    let request = video.requestVideoFrameCallback(onFrame);
    return () => video.cancelVideoFrameCallback(request);
  }

  /** Updates at every animation frame: for audio, and where video frame callbacks are not supported. */
  function followAnimationFrames(media: HTMLMediaElement): () => void {
    const onFrame = () => {
      move(media.currentTime);
      request = requestAnimationFrame(onFrame);
    };
    let request = requestAnimationFrame(onFrame);
    return () => cancelAnimationFrame(request);
  }

  return {
    time: () => time,
    frameSeconds: () => frameSeconds,
    moveTo: move,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow: (media) => {
      const onSeek = () => move(media.currentTime);
      onSeek();
      media.addEventListener('seeking', onSeek);
      const stop = hasVideoFrames(media) ? followVideoFrames(media) : followAnimationFrames(media);
      return () => {
        stop();
        media.removeEventListener('seeking', onSeek);
      };
    },
  };
}

function hasVideoFrames(media: HTMLMediaElement): media is HTMLVideoElement {
  return 'requestVideoFrameCallback' in media;
}

/**
 * Returns the position to share, in seconds with tenths: within the length that the detector reported, which is the one
 * the hub knows. Undefined at the start and the end of playback.
 */
export function positionToShare(
  { time, frameSeconds }: Pick<Playhead, 'time' | 'frameSeconds'>,
  lengths: { readonly played: number; readonly reported: number },
): number | undefined {
  // Playback ends at the last frame, whose time is not exact.
  const isAtEnd = time() + 1.5 * frameSeconds() >= lengths.played;
  const seconds = Math.floor(Math.min(time(), lengths.reported) * 10) / 10;
  return isAtEnd || seconds <= 0 ? undefined : seconds;
}

/** Formats a position, such as `1:05` or `1:05.4` with tenths. */
export function positionText(seconds: number, hasTenths = false): string {
  const tenths = Math.max(0, hasTenths ? Math.floor(seconds * 10 + 1e-6) : Math.floor(seconds) * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  const text = String(Math.floor(rest / 10)).padStart(2, '0');
  return `${minutes}:${text}${hasTenths ? `.${rest % 10}` : ''}`;
}
