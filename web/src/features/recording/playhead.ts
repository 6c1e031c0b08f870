/** Playback position, updated at every video frame. */
export interface Playhead {
  /** Seconds from the start. */
  readonly time: () => number;
  readonly subscribe: (listener: () => void) => () => void;
  /** Follows a video until the returned function is called. */
  readonly follow: (video: HTMLVideoElement) => () => void;
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

  /** Updates at every animation frame, where video frame callbacks are not supported. */
  function followAnimationFrames(video: HTMLVideoElement): () => void {
    const onFrame = () => {
      move(video.currentTime);
      request = requestAnimationFrame(onFrame);
    };
    let request = requestAnimationFrame(onFrame);
    return () => cancelAnimationFrame(request);
  }

  return {
    time: () => time,
    frameSeconds: () => frameSeconds,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow: (video) => {
      const onSeek = () => move(video.currentTime);
      onSeek();
      video.addEventListener('seeking', onSeek);
      const stop =
        'requestVideoFrameCallback' in video ? followVideoFrames(video) : followAnimationFrames(video);
      return () => {
        stop();
        video.removeEventListener('seeking', onSeek);
      };
    },
  };
}

/** Formats a position, such as `1:05` or `1:05.4` with tenths. */
export function positionText(seconds: number, hasTenths = false): string {
  const tenths = Math.max(0, hasTenths ? Math.floor(seconds * 10 + 1e-6) : Math.floor(seconds) * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  const text = String(Math.floor(rest / 10)).padStart(2, '0');
  return `${minutes}:${text}${hasTenths ? `.${rest % 10}` : ''}`;
}
