import { useEffect, useRef } from 'react';

/** How far before the segment a video may be, as it cannot be sought to the millisecond. */
const slackSeconds = 0.5;

/** A video that stays within a segment (seconds), over and over. */
export function useSegment(address: string | undefined, from: number, to: number) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element === null || address === undefined) return undefined;
    const keepWithin = () => {
      const isOutside = element.currentTime < from - slackSeconds || element.currentTime >= to;
      if (isOutside && !element.seeking) element.currentTime = from;
    };
    const begin = () => {
      element.currentTime = from;
    };
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    element.addEventListener('loadedmetadata', begin);
    element.addEventListener('timeupdate', keepWithin);
    return () => {
      element.removeEventListener('loadedmetadata', begin);
      element.removeEventListener('timeupdate', keepWithin);
    };
  }, [address, from, to]);
  useEffect(() => {
    const element = video.current;
    return () => {
      // Else the browser keeps what it has of the video.
      element?.removeAttribute('src');
      element?.load();
    };
  }, []);
  return video;
}
