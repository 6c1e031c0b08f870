import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { photographOf } from '../birds/index.js';
import {
  colourOf,
  drawBackground,
  drawForeground,
  drawSnow,
  farLight,
  picture,
  type Scene,
} from '../scenes/index.js';
import { sampleRate, sing } from '../songs/index.js';
import { beatFrames, frameRate, type Motion, type Step } from './choreography.js';
import { type Clip, type DrawnPart, drawParts, nameOf } from './clip.js';
import { runFfmpeg } from './ffmpeg.js';
import type { Sprite } from './sprites.js';

/** The program that encodes clips, and a signal that aborts it. */
export interface ClipTools {
  readonly ffmpegPath: string;
  readonly signal?: AbortSignal | undefined;
}

/** Writes a clip as MP4 with its index at the start of the file. @throws FfmpegMissingError */
export async function makeClip(clip: Clip, file: string, { ffmpegPath, signal }: ClipTools): Promise<void> {
  const folder = await mkdtemp(`${file}.`);
  try {
    const parts = await drawParts(clip);
    const inputs: string[] = [];
    const add = async (name: string, content: Buffer): Promise<number> => {
      const path = join(folder, name);
      await writeFile(path, content);
      return inputs.push(path) - 1;
    };
    await add('scene.png', await drawScene(clip));
    const steps: string[] = [];
    const over = (input: number, filter: string) => {
      steps.push(
        `[${input}:v]format=yuva420p[i${input}]`,
        `[p${steps.length}][i${input}]overlay=eof_action=repeat:format=yuv420:${filter}[p${steps.length + 2}]`,
      );
    };
    for (const [index, part] of parts.entries()) {
      const shadow = await drawShadow(part);
      if (shadow) over(await add(`shadow-${index}.png`, shadow.png), placeShadow(part, shadow));
      for (const [order, { sprite, steps: shown }] of part.sprites.entries())
        over(await add(`bird-${index}-${order}.png`, sprite.png), placeSprite(shown, sprite));
    }
    if (clip.season === 'winter' && clip.light !== 'night' && clip.take % 2 === 0)
      over(
        await add('snow.png', await snow()),
        `x=0:y='mod(round(t*${frameRate})*5,${picture.height})-${picture.height}'`,
      );
    const call = callOf(clip);
    const singer = call === undefined ? clip.singer : undefined;
    const garden = await add('sound.wav', sing(singer, clip.seconds, nameOf(clip)));
    const sound = call === undefined ? [] : [repeatedCall(garden, inputs.push(call) - 1)];
    const scene = `[0:v]format=yuv420p,loop=loop=-1:size=1:start=0,setpts=N/${frameRate}/TB,fps=${frameRate},trim=duration=${clip.seconds}[p0]`;
    await runFfmpeg(
      ffmpegPath,
      [
        ...['-v', 'error', '-y', '-nostdin', '-filter_complex_threads', '1'],
        ...inputs.flatMap((path) => ['-i', path]),
        ...['-filter_complex', [scene, ...steps, `[p${steps.length}]null[v]`, ...sound].join(';')],
        ...['-map', '[v]', '-map', sound.length ? '[a]' : `${garden}:a`, '-t', String(clip.seconds)],
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '25', '-pix_fmt', 'yuv420p'],
        ...['-g', String(frameRate * 2), '-threads', '1'],
        ...[
          '-c:a',
          'aac',
          '-b:a',
          '64k',
          '-map_metadata',
          '-1',
          '-movflags',
          '+faststart',
          '-f',
          'mp4',
          file,
        ],
      ],
      signal,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the path of the recorded call of the bird that sings in a clip, if it has one. */
function callOf({ singer = '', photographsDir }: Clip): string | undefined {
  const call = photographOf(singer)?.call;
  return call === undefined || photographsDir === undefined ? undefined : join(photographsDir, call);
}

/** Returns a filter of ffmpeg that repeats a call over the sound of the garden, with a pause in between. */
function repeatedCall(garden: number, call: number): string {
  const repeated = `aresample=${sampleRate},aformat=channel_layouts=mono,apad=pad_dur=0.9,aloop=loop=-1:size=${sampleRate * 15},adelay=500`;
  return `[${call}:a]${repeated}[call];[${garden}:a][call]amix=inputs=2:duration=first:normalize=0[a]`;
}

const scenes = new Map<string, Promise<Buffer>>();
let flakes: Promise<Buffer> | undefined;

/** Returns the picture of a scene; each is drawn only once, as a demo has few. */
function drawScene({ place, season, light }: Scene): Promise<Buffer> {
  const key = `${place} ${season} ${light}`;
  const known = scenes.get(key);
  if (known) return known;
  const drawn = renderScene({ place, season, light });
  scenes.set(key, drawn);
  drawn.catch(() => scenes.delete(key));
  return drawn;
}

async function renderScene(scene: Scene): Promise<Buffer> {
  const { width, height } = picture;
  const far = farLight[scene.light];
  const [smallBackground, foreground] = await Promise.all([
    sharp(Buffer.from(drawBackground(scene)))
      .blur(2.2)
      .png()
      .toBuffer(),
    sharp(Buffer.from(drawForeground(scene)))
      .png()
      .toBuffer(),
  ]);
  const background = await sharp(smallBackground)
    .resize(width, height, { kernel: 'cubic' })
    .blur(6)
    .linear(far, 0)
    .png()
    .toBuffer();
  const complete = await sharp(background)
    .composite([{ input: foreground }])
    .removeAlpha()
    .png()
    .toBuffer();
  const matrix = colourOf[scene.light];
  return (matrix ? sharp(complete).recomb(matrix) : sharp(complete)).png({ compressionLevel: 1 }).toBuffer();
}

function snow(): Promise<Buffer> {
  flakes ??= sharp(Buffer.from(drawSnow())).blur(0.8).png().toBuffer();
  return flakes;
}

interface Shadow {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Draws a soft ellipse for a bird that stands; returns undefined for one that never does. */
async function drawShadow({ steps, scale }: DrawnPart): Promise<Shadow | undefined> {
  if (!steps.some(({ groundY }) => groundY !== undefined)) return undefined;
  const width = Math.round(scale * 55) * 2;
  const height = Math.round(scale * 11) * 2;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><radialGradient id="s"><stop offset="0" stop-opacity="0.5"/><stop offset="0.6" stop-opacity="0.24"/><stop offset="1" stop-opacity="0"/></radialGradient></defs><ellipse cx="${width / 2}" cy="${height / 2}" rx="${width / 2}" ry="${height / 2}" fill="url(#s)"/></svg>`;
  return { png: await sharp(Buffer.from(svg)).png().toBuffer(), width, height };
}

function placeShadow({ steps }: DrawnPart, { width, height }: Shadow): string {
  const grounded = steps.filter(({ groundY }) => groundY !== undefined);
  const still = (start: number): Motion => ({ start, speed: 0, bend: 0 });
  const x = positionExpression(grounded, (step) => step.x, width / 2);
  const y = positionExpression(grounded, ({ groundY = 0 }) => still(groundY), height / 2);
  return `x='${x}':y='${y}':enable='${visibilityExpression(grounded)}'`;
}

function placeSprite(steps: readonly Step[], { footX, footY }: Sprite): string {
  const x = positionExpression(steps, (step) => step.x, footX);
  const y = positionExpression(steps, (step) => step.y, footY);
  return `x='${x}':y='${y}':enable='${visibilityExpression(steps)}'`;
}

/** The number of a frame. The variable `n` of ffmpeg differs between the position of an overlay and its `enable`. */
const frame = `round(t*${frameRate})`;

/** Returns an expression of ffmpeg for the same positions as `cornerOf`. */
function positionExpression(
  steps: readonly Step[],
  motionOf: (step: Step) => Motion,
  offset: number,
): string {
  return steps.reduceRight((rest, step) => {
    const { start, speed, bend } = motionOf(step);
    const n = `(${frame}-${step.from})`;
    const moves = speed !== 0 || bend !== 0;
    const value = moves ? `${start}+${speed}*${n}+${bend}*${n}*${n}-${offset}` : `${start - offset}`;
    return `if(between(${frame},${step.from},${step.to}),${value},${rest})`;
  }, '0');
}

/** Returns an expression of ffmpeg that is 1 in the frames in which one of the steps is visible. */
function visibilityExpression(steps: readonly Step[]): string {
  return steps
    .map(({ from, to, beat }) => {
      const within = `between(${frame},${from},${to})`;
      if (beat === undefined) return within;
      return `${within}*eq(mod(floor((${frame}-${from})/${beatFrames}),2),${beat})`;
    })
    .join('+');
}
