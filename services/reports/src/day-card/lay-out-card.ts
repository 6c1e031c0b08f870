import { countText, type HubLanguage, localeOf, speciesNameIn } from '@birdhub/domain/language';
import { type SharedDay, shareTexts } from '@birdhub/domain/shares';
import type { OutlinedText } from './outlined-text.js';

/** Shapes of cards: for link previews, and for stories on phones. */
export const cardShapes = ['landscape', 'portrait'] as const;

/** One of {@link cardShapes}. */
export type CardShape = (typeof cardShapes)[number];

/** The content of a card. */
export interface CardContent {
  readonly shape: CardShape;
  readonly language: HubLanguage;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly hub: string;
  /** Name of the place; empty for none. */
  readonly place: string;
  readonly facts: SharedDay;
}

/** A rectangle in pixels. */
export interface Slot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The layout of a card: its background, the slots of pictures, and the overlay. */
export interface CardLayout {
  readonly width: number;
  readonly height: number;
  readonly slots: readonly Slot[];
  readonly background: string;
  readonly overlay: string;
}

const sizes: Readonly<Record<CardShape, { readonly width: number; readonly height: number }>> = {
  landscape: { width: 1200, height: 630 },
  portrait: { width: 1080, height: 1350 },
};

const colours = { ink: '#ffffff', soft: '#cfe3d3', accent: '#ffd479', rule: '#ffffff' } as const;
const gap = 6;

/** Maximum pictures on a card. */
export const maxCardPictures = 4;

/** Lays out a card with one picture for each of these species; without any, with a drawn bird. */
export function layOutCard(
  content: CardContent,
  pictured: readonly string[],
  text: OutlinedText,
): CardLayout {
  const { shape } = content;
  const { width, height } = sizes[shape];
  const isWide = shape === 'landscape';
  const area: Slot = isWide
    ? { left: 560, top: 0, width: width - 560, height }
    : { left: 0, top: 0, width, height: 690 };
  const column: Slot = isWide
    ? { left: 56, top: 52, width: 452, height: height - 104 }
    : { left: 64, top: 750, width: width - 128, height: height - 750 - 56 };
  const slots = pictureSlots(area, pictured.length);
  const labels = slots.map((slot, at) => labelOf(slot, pictured[at] ?? '', text));
  return {
    width,
    height,
    slots,
    background: svg(width, height, backgroundOf(width, height, pictured.length ? undefined : area)),
    overlay: svg(width, height, `${labels.join('')}${facts(content, column, isWide, text)}`),
  };
}

const svg = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

/** Divides an area into slots: one picture fills it, two share it, of more the first is the largest. */
export function pictureSlots({ left, top, width, height }: Slot, count: number): Slot[] {
  if (count === 0) return [];
  if (count === 1) return [{ left, top, width, height }];
  const isTall = height >= width * 0.9;
  const large = isTall ? Math.round(height * (count === 2 ? 0.5 : 0.62)) : Math.round(width * 0.62);
  const others = count - 1;
  if (isTall) {
    const below = { top: top + large + gap, height: height - large - gap };
    const each = (width - gap * (others - 1)) / others;
    const small = Array.from({ length: others }, (_, at) => {
      const from = Math.round(at * (each + gap));
      return { left: left + from, width: Math.round(at * (each + gap) + each) - from, ...below };
    });
    return [{ left, top, width, height: large }, ...small];
  }
  const right = { left: left + large + gap, width: width - large - gap };
  const each = (height - gap * (others - 1)) / others;
  const small = Array.from({ length: others }, (_, at) => {
    const from = Math.round(at * (each + gap));
    return { top: top + from, height: Math.round(at * (each + gap) + each) - from, ...right };
  });
  return [{ left, top, width: large, height }, ...small];
}

function backgroundOf(width: number, height: number, birdArea: Slot | undefined): string {
  const bird = birdArea
    ? `<g transform="translate(${birdArea.left + birdArea.width / 2 - 210} ${birdArea.top + birdArea.height / 2 - 210}) scale(17.5)" fill="none" stroke="#ffffff" stroke-opacity=".22" stroke-width="1" stroke-linecap="round" stroke-linejoin="round"><path d="M16 7h.01"/><path d="M3.4 18H12a8 8 0 0 0 8-8V7a4 4 0 0 0-7.28-2.3L2 20"/><path d="m20 7 2 .5-2 .5"/><path d="M10 18v3"/><path d="M14 17.75V21"/><path d="M7 18a6 6 0 0 0 3.84-10.61"/></g>`
    : '';
  return (
    '<defs><linearGradient id="g" x1="0" y1="0" x2="0.6" y2="1"><stop offset="0" stop-color="#1f5a3c"/>' +
    '<stop offset="1" stop-color="#0f2f23"/></linearGradient></defs>' +
    `<rect width="${width}" height="${height}" fill="url(#g)"/>${bird}`
  );
}

function labelOf({ left, top, width, height }: Slot, name: string, text: OutlinedText): string {
  const size = Math.min(30, Math.max(20, Math.round(width / 18)));
  const shade = Math.min(110, height / 2);
  const id = `s${left}_${top}`;
  return (
    `<defs><linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-opacity="0"/>` +
    '<stop offset="1" stop-opacity=".72"/></linearGradient></defs>' +
    `<rect x="${left}" y="${top + height - shade}" width="${width}" height="${shade}" fill="url(#${id})"/>` +
    text.draw(name, {
      x: left + 18,
      y: top + height - 20,
      size,
      colour: colours.ink,
      isBold: true,
      maxWidth: width - 36,
    })
  );
}

/** Returns date, figures and species as a column. */
function facts(content: CardContent, column: Slot, isWide: boolean, text: OutlinedText): string {
  const { language, place, facts: counted } = content;
  const { left, top, width, height } = column;
  const figuresTop = top + 196;
  const figures = [
    countText(language, 'visits', counted.visits),
    countText(language, 'species', counted.species.length),
  ].join('  ·  ');
  const listTop = figuresTop + 30;
  const foot = place === '' ? 0 : 44;
  const list = { left, width, top: listTop, height: height - (listTop - top) - foot };
  const figuresStyle = { x: left, size: 32, colour: colours.accent, isBold: true, maxWidth: width };
  const where = place
    ? text.draw(place, { x: left, y: top + height - 2, size: 24, colour: colours.accent, maxWidth: width })
    : '';
  return [
    heading(content, column, text),
    text.draw(figures, { ...figuresStyle, y: figuresTop }),
    speciesRows(content, list, isWide, text),
    where,
  ].join('');
}

/** Returns the name of the hub and the date. */
function heading(
  { hub, day, language }: CardContent,
  { left, top, width }: Slot,
  text: OutlinedText,
): string {
  const date = new Date(`${day}T00:00:00Z`);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(localeOf(language), { timeZone: 'UTC', ...options }).format(date);
  const weekday = capitalise(format({ weekday: 'long' }), language);
  const full = format({ day: 'numeric', month: 'long', year: 'numeric' });
  const line = { x: left, maxWidth: width };
  return [
    text.draw(hub, { ...line, y: top + 22, size: 24, colour: colours.accent, isBold: true }),
    text.draw(weekday, { ...line, y: top + 92, size: 54, colour: colours.ink, isBold: true }),
    text.draw(full, { ...line, y: top + 134, size: 30, colour: colours.soft }),
  ].join('');
}

/** Returns the species with their visits, as many as there is room for, and the number of the others. */
function speciesRows(
  { language, facts: { species } }: CardContent,
  { left, top, width, height }: Slot,
  isWide: boolean,
  text: OutlinedText,
): string {
  const { heard, more } = shareTexts[language];
  const line = isWide ? 44 : 50;
  const size = isWide ? 26 : 30;
  const room = Math.max(1, Math.floor(height / line));
  const shown = species.length <= room ? species : species.slice(0, room - 1);
  const rows = shown.map(({ name, visits, isHeardOnly }, at) => {
    const y = top + line * at + 34;
    const count = new Intl.NumberFormat(language).format(visits);
    const aside = isHeardOnly ? `${heard} · ${count}` : count;
    const maxWidth = width - text.width(aside, { size }) - 24;
    return (
      `<rect x="${left}" y="${y - 34}" width="${width}" height="1" fill="${colours.rule}" opacity=".16"/>` +
      text.draw(speciesNameIn(language, name), { x: left, y, size, colour: colours.ink, maxWidth }) +
      text.draw(aside, { x: left + width, y, size, colour: colours.soft, anchor: 'end' })
    );
  });
  const hiddenCount = species.length - shown.length;
  const y = top + line * shown.length + 32;
  const rest = hiddenCount
    ? text.draw(more.replace('#', String(hiddenCount)), { x: left, y, size: 24, colour: colours.soft })
    : '';
  return [...rows, rest].join('');
}

function capitalise(text: string, language: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}
