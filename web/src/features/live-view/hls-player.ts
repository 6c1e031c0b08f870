/** Why a stream is not shown. */
export type LiveFailure = 'failed' | 'unsupported' | 'locked';

const maxRecoveries = 3;

/**
 * Plays an HLS playlist in a video element with hls.js, which is loaded on demand, or natively where Media Source
 * Extensions are missing. Returns a function that stops playback and releases the stream.
 */
export function playHls(
  video: HTMLVideoElement,
  address: string,
  onFailure: (failure: LiveFailure) => void,
): () => void {
  const hasMediaSource = typeof MediaSource !== 'undefined' || 'ManagedMediaSource' in globalThis;
  if (!hasMediaSource) {
    if (video.canPlayType('application/vnd.apple.mpegurl') === '') {
      onFailure('unsupported');
      return () => undefined;
    }
    video.src = address;
    const fail = () => onFailure('failed');
    video.addEventListener('error', fail);
    return () => {
      video.removeEventListener('error', fail);
      release(video);
    };
  }
  let isStopped = false;
  let stop = () => release(video);
  import('hls.js/light').then(
    ({ default: Hls }) => {
      if (isStopped) return;
      if (!Hls.isSupported()) {
        onFailure('unsupported');
        return;
      }
      // Without the worker, which hls.js creates from a blob: URL; live pictures need no long buffer for rewinding.
      const player = new Hls({ enableWorker: false, backBufferLength: 10, maxBufferLength: 20 });
      let recoveries = 0;
      player.on(Hls.Events.ERROR, (_name, { fatal, type }) => {
        if (!fatal) return;
        recoveries += 1;
        if (type === Hls.ErrorTypes.MEDIA_ERROR && recoveries <= maxRecoveries) player.recoverMediaError();
        else onFailure('failed');
      });
      player.loadSource(address);
      player.attachMedia(video);
      stop = () => player.destroy();
    },
    () => !isStopped && onFailure('failed'),
  );
  return () => {
    isStopped = true;
    stop();
  };
}

/** Stops loading: a removed video element would keep its connection. */
function release(video: HTMLVideoElement): void {
  video.removeAttribute('src');
  video.load();
}
