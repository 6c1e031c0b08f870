import { seededRandom } from '../random/index.js';
import { closedPath, linePath, type Point, rotate, write } from './anatomy.js';
import type { Colour, Pose } from './bird-look.js';
import type { Drawing } from './draw-bird.js';

/** The field marks of an owl, which faces the camera. */
export interface OwlLook {
  readonly size: number;
  readonly body: Colour;
  readonly belly: Colour;
  readonly disc: Colour;
  readonly rim: Colour;
  readonly marks: Colour;
  readonly eye: Colour;
  readonly bill: Colour;
  /** Height of the ear tufts, 0 to 1. */
  readonly tufts: number;
}

/** Owls by their names in the catalogue. */
export const owls = {
  'Tawny Owl': {
    size: 1.9,
    body: '#7d5b3c',
    belly: '#c9ad86',
    disc: '#c2a583',
    rim: '#4d3524',
    marks: '#3d2918',
    eye: '#0b0908',
    bill: '#d9cf9a',
    tufts: 0,
  },
  'Eastern Screech-Owl': {
    size: 1.5,
    body: '#8a8680',
    belly: '#c7c3bb',
    disc: '#b7b2aa',
    rim: '#2f2c2a',
    marks: '#38342f',
    eye: '#f2c832',
    bill: '#c9cf9c',
    tufts: 1,
  },
} as const satisfies Record<string, OwlLook>;

const size = 340;
const middle = 170;
const ground = 262;

const body: readonly Point[] = [
  [170, 96],
  [206, 104],
  [226, 138],
  [230, 186],
  [214, 232],
  [190, 254],
  [170, 258],
  [150, 254],
  [126, 232],
  [110, 186],
  [114, 138],
  [134, 104],
];
const head: readonly Point[] = [
  [170, 66],
  [204, 74],
  [222, 104],
  [218, 136],
  [196, 156],
  [170, 162],
  [144, 156],
  [122, 136],
  [118, 104],
  [136, 74],
];

/** Draws an owl, which turns its head in poses in which a songbird would peck. */
export function drawOwl(look: OwlLook, pose: Pose): Drawing {
  const turn = pose === 'look' ? 15 : pose === 'peck' ? -15 : 0;
  const isBlinking = pose === 'alert' || pose === 'dip';
  const flies = pose === 'wings-up' || pose === 'wings-down' || pose === 'glide';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">
<defs><clipPath id="b"><path d="${closedPath(body)}"/></clipPath><clipPath id="h"><path d="${closedPath(head)}"/></clipPath>
<filter id="s" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="3"/></filter>
<linearGradient id="l" x1="0.3" y1="0" x2="0.6" y2="1"><stop offset="0" stop-color="#fff" stop-opacity="0.18"/><stop offset="0.5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#100a04" stop-opacity="0.42"/></linearGradient></defs>
${flies ? openWings(look, pose) : ''}
<path d="M146 240L150 284L170 292L190 284L194 240Z" fill="${look.body}"/>
${flies ? '' : feet()}
<path d="${closedPath(body)}" fill="${look.belly}"/>
<g clip-path="url(#b)">${streaks(look)}${flies ? '' : foldedWings(look)}<path d="${closedPath(body)}" fill="url(#l)"/></g>
${look.tufts ? tufts(look, turn) : ''}
<path d="${closedPath(head)}" fill="${look.body}"/>
<g clip-path="url(#h)">${mottle(look)}${face(look, turn, isBlinking)}<path d="${closedPath(head)}" fill="url(#l)" opacity="0.7"/></g>
</svg>`;
  return { svg, size, foot: [middle, ground] };
}

function face({ disc, rim, marks, eye, bill }: OwlLook, turn: number, isBlinking: boolean): string {
  const x = middle + turn;
  const side = (to: number) => {
    const squeeze = 1 - (turn * to) / 90;
    const cx = x + to * 24 * squeeze;
    const rx = 25 * squeeze;
    const open = isBlinking
      ? `<path d="M${cx - 11} 114Q${cx} 123 ${cx + 11} 114" stroke="#1a120c" stroke-width="3.4" fill="none" stroke-linecap="round"/>`
      : `<circle cx="${cx}" cy="113" r="13" fill="#0d0a08"/><circle cx="${cx}" cy="113" r="11.4" fill="${eye}"/><circle cx="${cx}" cy="113" r="${eye === '#0b0908' ? 9 : 6.4}" fill="#060504"/><circle cx="${cx + 4}" cy="108.5" r="3.2" fill="#fff"/><circle cx="${cx - 4}" cy="117.5" r="1.5" fill="#fff" fill-opacity="0.5"/>`;
    return `<ellipse cx="${cx}" cy="115" rx="${rx + 3}" ry="32" fill="${rim}" fill-opacity="0.75" filter="url(#s)"/><ellipse cx="${cx}" cy="116" rx="${rx}" ry="29" fill="${disc}"/>${rays(cx, 115, marks)}${open}`;
  };
  const brow = `<path d="M${x} 122Q${x - 8} 96 ${x - 30} 84M${x} 122Q${x + 8} 96 ${x + 30} 84" stroke="#efe4d0" stroke-width="6" fill="none" stroke-linecap="round" stroke-opacity="0.85"/>`;
  return `${side(-1)}${side(1)}${brow}<path d="M${x - 6} 121Q${x} 116 ${x + 6} 121Q${x + 4} 134 ${x} 141Q${x - 4} 134 ${x - 6} 121Z" fill="${bill}" stroke="#3a3020" stroke-width="1"/>`;
}

function rays(x: number, y: number, colour: Colour): string {
  return Array.from({ length: 18 }, (_, index) => {
    const from = rotate([x + 15, y], [x, y], index * 20);
    const to = rotate([x + 25, y], [x, y], index * 20);
    return `<path d="${linePath([from, to])}" stroke="${colour}" stroke-opacity="0.22" stroke-width="1.6"/>`;
  }).join('');
}

function tufts({ body: colour, rim }: OwlLook, turn: number): string {
  const x = middle + turn * 0.4;
  const one = (to: number) =>
    `<path d="M${x + to * 22} 78L${x + to * 44} 44L${x + to * 50} 92Z" fill="${colour}" stroke="${rim}" stroke-width="2" stroke-linejoin="round"/>`;
  return one(-1) + one(1);
}

function mottle({ marks }: OwlLook): string {
  const random = seededRandom('owl head');
  return Array.from({ length: 60 }, () => {
    const [x, y] = [118 + random() * 104, 64 + random() * 60];
    return `<ellipse cx="${x}" cy="${y}" rx="1.4" ry="4" fill="${marks}" fill-opacity="0.5"/>`;
  }).join('');
}

function streaks({ marks }: OwlLook): string {
  const random = seededRandom('owl breast');
  return Array.from({ length: 42 }, (_, index) => {
    const x = 124 + (index % 7) * 15 + random() * 8;
    const y = 158 + Math.floor(index / 7) * 16 + random() * 6;
    return `<path d="M${x} ${y}l0 10M${x - 4} ${y + 3}l8 0M${x - 3.4} ${y + 7}l6.8 0" stroke="${marks}" stroke-width="2" stroke-opacity="0.62" stroke-linecap="round"/>`;
  }).join('');
}

function foldedWings({ body: colour, marks }: OwlLook): string {
  const one = (to: number) => {
    const at = (x: number, y: number) => write([middle + to * x, y]);
    const bars = [140, 160, 180, 200, 220].map(
      (y) =>
        `<path d="M${at(38, y)}Q${at(48, y + 7)} ${at(62, y + 2)}" stroke="${marks}" stroke-width="4" stroke-opacity="0.6" fill="none"/>`,
    );
    return `<path d="M${at(36, 112)}Q${at(74, 124)} ${at(66, 190)}Q${at(58, 236)} ${at(38, 250)}Q${at(30, 200)} ${at(36, 112)}Z" fill="${colour}" stroke="#000" stroke-opacity="0.3" stroke-width="2"/>${bars.join('')}`;
  };
  return one(-1) + one(1);
}

function openWings({ body: colour, marks }: OwlLook, pose: Pose): string {
  const [from, to] = pose === 'wings-down' ? [78, 8] : pose === 'glide' ? [-4, -42] : [-74, -12];
  const one = (side: number) =>
    Array.from({ length: 9 }, (_, index) => {
      const share = index / 8;
      const angle = from + (to - from) * share;
      const length = 118 - 34 * Math.abs(share - 0.4);
      const bars = [0.4, 0.6, 0.8].map(
        (at) => `<path d="M${length * at} -9l0 18" stroke="${marks}" stroke-width="6" stroke-opacity="0.5"/>`,
      );
      return `<g transform="translate(${middle + side * 40} 128) scale(${side} 1) rotate(${angle})"><path d="M0 -10Q${length * 0.7} -15 ${length} 0Q${length * 0.7} 13 0 10Z" fill="${colour}" stroke="#000" stroke-opacity="0.25"/>${bars.join('')}</g>`;
    }).join('');
  return one(-1) + one(1);
}

function feet(): string {
  const one = (x: number) =>
    [-9, 0, 9]
      .map(
        (dx) =>
          `<path d="M${x + dx * 0.5} 248L${x + dx} 262" stroke="#b9a27c" stroke-width="7" stroke-linecap="round"/><path d="M${x + dx} 262l0 5" stroke="#2a2018" stroke-width="3" stroke-linecap="round"/>`,
      )
      .join('');
  return one(152) + one(188);
}
