import { type Picture, readPictures } from './pictures.js';
import { restrictedInput, runTool, type ToolWork, toolInput } from './run-tool.js';

/** A part of a recording's sound, in seconds from its start. */
export interface SoundSpan {
  readonly from: number;
  readonly to: number;
}

/** A part of the sound and the size of its spectrogram, in pixels. */
export interface SpectrumView extends SoundSpan {
  readonly width: number;
  /** A power of two, because ffmpeg takes a hundred times longer for other heights. */
  readonly height: number;
}

/** The part of the sound that a picture shows, its marks, and its size in pixels. */
export interface SoundView extends SoundSpan {
  /** Spans to highlight, for example detections. */
  readonly marks: readonly SoundSpan[];
  readonly width: number;
  readonly height: number;
}

/**
 * Maximum length in seconds that one run of ffmpeg draws, because it holds all of the sound in memory: about 125 MB.
 * Longer sound is drawn in parts.
 */
export const maxDrawnSeconds = 600;

/** In Hz; the upper end of the frequency axis is half of it. */
const sampleRate = 24_000;
/** The frequency in kHz at the upper edge of the spectrograms drawn here. */
export const maxKilohertz = sampleRate / 2_000;
const quality = 84;
const drawnHeight = 512;

/**
 * Returns the spectrogram of a part of a file's sound as a JPEG, with axes in kHz and seconds; undefined when the sound
 * cannot be decoded. Each {@link maxDrawnSeconds} may take `work.limitMs`.
 * @throws ToolTimeoutError, or an error when the program is not installed
 */
export async function drawSoundPicture(
  ffmpegPath: string,
  view: SoundView,
  work: ToolWork,
): Promise<Buffer | undefined> {
  const plot = placePlot(view);
  const { from, to } = view;
  const picture = await drawSpectrum(ffmpegPath, { from, to, width: plot.width, height: drawnHeight }, work);
  return picture && addAxes(picture, view, plot);
}

/**
 * Returns the spectrogram of a part of a file's sound, drawn in parts of {@link maxDrawnSeconds}, each of which may take
 * `work.limitMs`; undefined when the sound cannot be decoded. The part of the span beyond its end is drawn as silence.
 * @throws ToolTimeoutError, or an error when the program is not installed
 */
export async function drawSpectrum(
  ffmpegPath: string,
  { from, to, width, height }: SpectrumView,
  work: ToolWork,
): Promise<Picture | undefined> {
  const count = Math.min(width, Math.max(1, Math.ceil((to - from) / maxDrawnSeconds)));
  if (count === 1) return drawPart(ffmpegPath, { from, to, width, height }, work);
  const data = Buffer.alloc(width * height * 3);
  const timeOf = (x: number) => from + (x / width) * (to - from);
  for (let index = 0; index < count; index += 1) {
    const left = Math.round((index * width) / count);
    const right = Math.round(((index + 1) * width) / count);
    const view = { from: timeOf(left), to: timeOf(right), width: right - left, height };
    const part = await drawPart(ffmpegPath, view, work);
    if (!part && index === 0) return undefined;
    const rowBytes = view.width * 3;
    for (let y = 0; part && y < height; y += 1)
      part.data.copy(data, (y * width + left) * 3, y * rowBytes, (y + 1) * rowBytes);
  }
  return { width, height, data };
}

async function drawPart(
  ffmpegPath: string,
  { from, to, width, height }: SpectrumView,
  work: ToolWork,
): Promise<Picture | undefined> {
  const seconds = (to - from).toFixed(3);
  const graph =
    `[0:a:0]aresample=${sampleRate},aformat=channel_layouts=mono,apad=whole_dur=${seconds},atrim=0:${seconds},` +
    `showspectrumpic=s=${width}x${height}:legend=0:scale=log:color=viridis`;
  const args = [
    ...['-v', 'quiet', '-nostdin', ...restrictedInput, '-threads', '1'],
    ...['-ss', from.toFixed(3), '-t', seconds, '-i', toolInput, '-filter_complex', graph],
    ...['-frames:v', '1', '-c:v', 'ppm', '-f', 'image2pipe', 'pipe:1'],
  ];
  return runTool(ffmpegPath, { ...work, args }, firstPicture);
}

async function firstPicture(output: AsyncIterable<Buffer>): Promise<Picture | undefined> {
  let first: Picture | undefined;
  for await (const picture of readPictures(output)) first ??= picture;
  return first;
}

/** The rectangle of the spectrogram within the picture; the axes are to the left of it and below. */
interface Plot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Height of a letter. */
  readonly letter: number;
}

function placePlot({ width, height }: SoundView): Plot {
  const letter = Math.max(8, Math.round(height / 24));
  const left = letter * 4;
  const top = letter * 2;
  return { left, top, width: width - left - letter, height: height - top - letter * 3, letter };
}

async function addAxes(picture: Picture, view: SoundView, plot: Plot): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const { width, height } = view;
  const raw = { width: picture.width, height: picture.height, channels: 3 as const };
  const spectrogram = await sharp(picture.data, { raw })
    .resize({ width: plot.width, height: plot.height, fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp({ create: { width, height, channels: 3, background: '#101418' } })
    .composite([
      { input: spectrogram, left: plot.left, top: plot.top },
      { input: Buffer.from(axesSvg(view, plot)) },
    ])
    .jpeg({ quality })
    .toBuffer();
}

/** Returns axes, ticks and marks as SVG. Text is drawn as strokes, because the machine may have no fonts. */
export function axesSvg(view: SoundView, plot: Plot): string {
  const { left, top, width, height, letter } = plot;
  const bottom = top + height;
  const xOf = (second: number) => left + ((second - view.from) / (view.to - view.from)) * width;
  const yOf = (kilohertz: number) => bottom - (kilohertz / maxKilohertz) * height;
  const shapes: string[] = [];
  for (const { from, to } of view.marks) {
    const start = Math.max(left, Math.min(left + width, xOf(from)));
    const end = Math.max(start + 2, Math.min(left + width, xOf(to)));
    const box = `x="${start.toFixed(1)}" y="${top}" width="${(end - start).toFixed(1)}" height="${height}"`;
    shapes.push(
      `<rect class="mark" ${box} fill="#fff" fill-opacity="0.1" stroke="#ffd43b" stroke-width="2"/>`,
    );
  }
  const axis = `M${left} ${top}V${bottom}H${left + width}`;
  const ticks: string[] = [];
  for (let kilohertz = 0; kilohertz <= maxKilohertz; kilohertz += 2) {
    ticks.push(`M${left} ${yOf(kilohertz).toFixed(1)}h${-letter / 2}`);
    // The unit takes the place of the top label.
    if (kilohertz > 0 && kilohertz < maxKilohertz)
      shapes.push(
        drawText(String(kilohertz), {
          x: left - letter,
          y: yOf(kilohertz) - letter / 2,
          letter,
          anchor: 'end',
        }),
      );
  }
  shapes.push(drawText('kHz', { x: letter / 2, y: letter / 2, letter, anchor: 'start' }));
  for (const second of timeTicks(view)) {
    const x = xOf(second);
    ticks.push(`M${x.toFixed(1)} ${bottom}v${letter / 2}`);
    // The unit takes the place of the last label.
    if (x < left + width - letter * 3)
      shapes.push(drawText(timeLabel(second), { x, y: bottom + letter, letter, anchor: 'middle' }));
  }
  shapes.push(drawText('s', { x: left + width, y: bottom + letter, letter, anchor: 'end' }));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${view.width}" height="${view.height}">` +
    `<path d="${axis}${ticks.join('')}" fill="none" stroke="#adb5bd" stroke-width="1.5"/>${shapes.join('')}</svg>`
  );
}

const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800];
const maxTicks = 9;

/** Returns the ticks of the time axis, at most nine, at round numbers of seconds. */
export function timeTicks({ from, to }: SoundSpan): number[] {
  const step = steps.find((one) => (to - from) / one <= maxTicks) ?? Math.ceil((to - from) / maxTicks);
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step + 1e-9) - first + 1);
  return Array.from({ length: count }, (_, index) => Math.round((first + index) * step * 10) / 10);
}

function timeLabel(second: number): string {
  if (second < 120) return String(second);
  const rest = String(Math.round(second % 60)).padStart(2, '0');
  return `${Math.floor(second / 60)}:${rest}`;
}

/** Strokes of characters in a box of 4 by 8. */
const strokes: Readonly<Record<string, string>> = {
  '0': 'M0 0H4V8H0Z',
  '1': 'M.5 1.5L2.5 0V8',
  '2': 'M0 0H4V4H0V8H4',
  '3': 'M0 0H4V8H0M1 4H4',
  '4': 'M0 0V4H4M4 0V8',
  '5': 'M4 0H0V4H4V8H0',
  '6': 'M4 0H0V8H4V4H0',
  '7': 'M0 0H4L1.5 8',
  '8': 'M0 0H4V8H0ZM0 4H4',
  '9': 'M4 4H0V0H4V8H0',
  ':': 'M2 2V3M2 5V6',
  '.': 'M2 7.2V8',
  k: 'M0 0V8M4 3L0 6M1.4 5L4 8',
  H: 'M0 0V8M4 0V8M0 4H4',
  z: 'M0 3H4L0 8H4',
  s: 'M4 3H0V5.5H4V8H0',
};
const advance = 6;

interface TextPlace {
  readonly x: number;
  /** Upper edge. */
  readonly y: number;
  readonly letter: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

function drawText(text: string, { x, y, letter, anchor }: TextPlace): string {
  const scale = letter / 8;
  const width = (text.length * advance - 2) * scale;
  const start = { start: x, middle: x - width / 2, end: x - width }[anchor];
  const letters = [...text].map(
    (character, index) =>
      `<path transform="translate(${index * advance} 0)" d="${strokes[character] ?? ''}"/>`,
  );
  return (
    `<g transform="translate(${start.toFixed(1)} ${y.toFixed(1)}) scale(${scale})" fill="none" stroke="#f1f3f5" ` +
    `stroke-width="1.1">${letters.join('')}</g>`
  );
}
