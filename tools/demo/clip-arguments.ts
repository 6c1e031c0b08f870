import type { ClipVariant, Song, Subject } from './clip-variants.js';
import { overlayExpression, picture } from './motion-path.js';
import { birdExpression, gardenExpression } from './paint.js';

const { width, height, framesPerSecond } = picture;
const SOUND_RATE = 44_100;
/** Long enough for one frame: everything is painted once and then shown again and again. */
const ONE_FRAME = 'd=0.05';

/** The arguments with which ffmpeg makes the clip: H.264 and AAC in an MP4 that starts while it loads. */
export function clipArguments(clip: ClipVariant, file: string): string[] {
  const pictures = [gardenSource(clip), ...clip.subjects.map((subject) => birdSource(subject, clip.seconds))];
  const inputs = [...pictures, songSource(clip.song, clip.seconds)];
  return [
    ...['-v', 'error', '-nostdin', '-y'],
    ...inputs.flatMap((source) => ['-f', 'lavfi', '-i', source]),
    ...['-filter_complex', overlays(clip.subjects), '-map', '[picture]', '-map', `${pictures.length}:a`],
    ...['-t', String(clip.seconds), '-r', String(framesPerSecond)],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '26', '-pix_fmt', 'yuv420p'],
    ...['-g', String(framesPerSecond * 2), '-threads', '1'],
    ...['-c:a', 'aac', '-b:a', '48k', '-movflags', '+faststart', '-f', 'mp4', file],
  ];
}

function gardenSource({ light, seconds }: ClipVariant): string {
  const canvas = `color=c=black:s=${width}x${height}:r=${framesPerSecond}:${ONE_FRAME},format=gbrp`;
  return `${canvas},geq=${gardenExpression(light)},${held(seconds)}`;
}

function birdSource({ coat, size }: Subject, seconds: number): string {
  const canvas = `color=c=black:s=${size.width}x${size.height}:r=${framesPerSecond}:${ONE_FRAME},format=rgba`;
  return `${canvas},geq=${birdExpression(coat)},${held(seconds)}`;
}

function held(seconds: number): string {
  return `loop=loop=-1:size=1:start=0,setpts=N/${framesPerSecond}/TB,trim=duration=${seconds}`;
}

function songSource({ pitch, sweep, beat, note }: Song, seconds: number): string {
  const since = `mod(t,${beat})`;
  const tone = `sin(2*PI*(${pitch}+${sweep / 2}*${since})*${since})`;
  const swell = `sin(PI*${since}/${note})*lt(${since},${note})`;
  return `aevalsrc=exprs='0.4*${tone}*${swell}':s=${SOUND_RATE}:d=${seconds}`;
}

/** Lays each bird over the picture while it is there; the last step is called `[picture]`. */
function overlays(subjects: readonly Subject[]): string {
  const steps = subjects.map(({ path, size, fromFrame, toFrame }, index) => {
    const x = overlayExpression(path.x, size.width);
    const y = overlayExpression(path.y, size.height);
    const shown = `enable='between(t*${framesPerSecond},${fromFrame - 0.5},${toFrame + 0.5})'`;
    return `[step${index}][${index + 1}:v]overlay=x='${x}':y='${y}':${shown}[step${index + 1}]`;
  });
  return ['[0:v]null[step0]', ...steps, `[step${subjects.length}]format=yuv420p[picture]`].join(';');
}
