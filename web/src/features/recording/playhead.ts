/** What a recording has come to: told to those who draw it, at every picture of the video. */
export interface Playhead {
  /** Seconds from the start. */
  readonly time: () => number;
  readonly subscribe: (listener: () => void) => () => void;
  /** Reads the time of a video until the returned function is called. */
  readonly follow: (video: HTMLVideoElement) => () => void;
  /** Seconds between two pictures, as far as it was seen. */
  readonly frameSeconds: () => number;
}

const usualFrameSeconds = 1 / 25;
const slowestFrameSeconds = 0.25;

/** A playhead at the start. */
export function createPlayhead(): Playhead {
  let time = 0;
  let frameSeconds = usualFrameSeconds;
  const listeners = new Set<() => void>();

  function move(next: number): void {
    if (next === time) return;
    time = next;
    for (const listener of listeners) listener();
  }

  /** Every picture as it is shown, with its own time. */
  function followPictures(video: HTMLVideoElement): () => void {
    let before: number | undefined;
    const onPicture: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      const passed = mediaTime - (before ?? mediaTime);
      if (!video.paused && passed > 0 && passed < slowestFrameSeconds) frameSeconds = passed;
      before = mediaTime;
      move(mediaTime);
      request = video.requestVideoFrameCallback(onPicture);
    };
    let request = video.requestVideoFrameCallback(onPicture);
    return () => video.cancelVideoFrameCallback(request);
  }

  /** As often as the screen is drawn, where a browser does not tell of pictures. */
  function followScreen(video: HTMLVideoElement): () => void {
    const onScreen = () => {
      move(video.currentTime);
      request = requestAnimationFrame(onScreen);
    };
    let request = requestAnimationFrame(onScreen);
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
      const stop = 'requestVideoFrameCallback' in video ? followPictures(video) : followScreen(video);
      return () => {
        stop();
        video.removeEventListener('seeking', onSeek);
      };
    },
  };
}
