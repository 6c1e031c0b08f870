import { closedPath, linePath, type Point } from './anatomy.js';
import type { Colour, Pose } from './bird-look.js';
import type { Drawing } from './draw-bird.js';

/** The appearance of a squirrel. */
export interface SquirrelLook {
  readonly size: number;
  readonly coat: Colour;
  readonly belly: Colour;
  readonly tail: Colour;
  /** Length of the ear tufts, 0 to 1. */
  readonly tufts: number;
}

/** Squirrels by their names in the catalogue. */
export const squirrels = {
  'Eurasian Red Squirrel': { size: 1.9, coat: '#a9521f', belly: '#f4ebdc', tail: '#93431a', tufts: 1 },
  'Eastern Gray Squirrel': { size: 2.05, coat: '#87827a', belly: '#efece6', tail: '#97928a', tufts: 0 },
} as const satisfies Record<string, SquirrelLook>;

const size = 340;
const ground = 270;

const bodyUp: readonly Point[] = [
  [206, 128],
  [190, 132],
  [166, 156],
  [148, 190],
  [140, 226],
  [146, 256],
  [170, 268],
  [206, 268],
  [222, 250],
  [222, 214],
  [224, 178],
  [226, 150],
];
const bodyDown: readonly Point[] = [
  [232, 196],
  [206, 178],
  [174, 178],
  [148, 196],
  [136, 226],
  [142, 256],
  [166, 268],
  [206, 268],
  [232, 258],
  [246, 236],
  [248, 214],
];
const tailUp: readonly Point[] = [
  [152, 262],
  [118, 258],
  [92, 226],
  [88, 178],
  [100, 130],
  [94, 96],
  [72, 86],
  [84, 64],
  [118, 66],
  [140, 96],
  [140, 140],
  [128, 180],
  [136, 220],
  [160, 240],
];

/** Draws a squirrel that faces right, sitting up or eating from the ground. */
export function drawSquirrel(look: SquirrelLook, pose: Pose): Drawing {
  const isDown = pose === 'peck' || pose === 'dip' || pose === 'hop';
  const [hx, hy] = isDown ? [252, 206] : [228, 120];
  const tilt = isDown ? 22 : pose === 'look' ? -10 : 0;
  const body = isDown ? bodyDown : bodyUp;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">
<defs><clipPath id="b"><path d="${closedPath(body)}"/></clipPath><filter id="s" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="5"/></filter>
<filter id="hair" x="-10%" y="-10%" width="120%" height="120%"><feTurbulence type="fractalNoise" baseFrequency="0.07 0.05" numOctaves="3" seed="3" result="n"/><feDisplacementMap in="SourceGraphic" in2="n" scale="16"/></filter>
<linearGradient id="l" x1="0.3" y1="0" x2="0.6" y2="1"><stop offset="0" stop-color="#fff" stop-opacity="0.22"/><stop offset="0.5" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#100a04" stop-opacity="0.38"/></linearGradient></defs>
<g filter="url(#hair)"><path d="${closedPath(tailUp)}" fill="${look.tail}"/><path d="${closedPath(tailUp.map(([x, y]) => [116 + (x - 116) * 0.55, 160 + (y - 160) * 0.8]))}" fill="#fff" fill-opacity="0.14"/></g>
<path d="${closedPath(body)}" fill="${look.coat}"/>
<g clip-path="url(#b)"><ellipse cx="${isDown ? 226 : 222}" cy="${isDown ? 262 : 206}" rx="${isDown ? 44 : 22}" ry="${isDown ? 24 : 54}" fill="${look.belly}" filter="url(#s)"/><path d="${closedPath(body)}" fill="url(#l)"/></g>
<ellipse cx="172" cy="240" rx="34" ry="30" fill="${look.coat}"/><ellipse cx="172" cy="240" rx="34" ry="30" fill="url(#l)"/>
<path d="M160 266Q190 258 214 268L212 274L164 274Z" fill="${look.coat}"/><path d="M160 270l54 2" stroke="#000" stroke-opacity="0.25" stroke-width="3"/>
${arms(look, isDown)}
<g transform="rotate(${tilt} ${hx} ${hy})">${head(look, hx, hy)}</g>
</svg>`;
  return { svg, size, foot: [188, ground] };
}

function head({ coat, belly, tufts }: SquirrelLook, x: number, y: number): string {
  const outline: Point[] = [
    [x - 30, y + 4],
    [x - 22, y - 20],
    [x - 2, y - 26],
    [x + 18, y - 14],
    [x + 34, y + 4],
    [x + 33, y + 12],
    [x + 16, y + 22],
    [x - 8, y + 26],
    [x - 26, y + 18],
  ];
  const ear = (dx: number, shade: string) =>
    `<path d="M${x + dx} ${y - 18}L${x + dx - 2} ${y - 44}L${x + dx + 17} ${y - 22}Z" fill="${shade}" stroke="${shade}" stroke-width="3" stroke-linejoin="round"/>${
      tufts
        ? `<path d="${linePath([
            [x + dx - 1, y - 42],
            [x + dx - 6, y - 60],
          ])}M${x + dx} ${y - 42}l-1 -18" stroke="${shade}" stroke-width="3.4" stroke-linecap="round"/>`
        : ''
    }`;
  return `${ear(-6, coat)}<path d="${closedPath(outline)}" fill="${coat}"/>${ear(-20, coat)}<path d="${closedPath(
    [
      [x + 31, y + 10],
      [x + 14, y + 8],
      [x - 8, y + 16],
      [x - 10, y + 25],
      [x + 14, y + 22],
    ],
  )}" fill="${belly}"/><path d="${closedPath(outline)}" fill="url(#l)"/>
<circle cx="${x + 8}" cy="${y - 4}" r="7.5" fill="#f3e6d2" fill-opacity="0.65"/><circle cx="${x + 8}" cy="${y - 4}" r="5.8" fill="#0e0906"/><circle cx="${x + 10}" cy="${y - 6}" r="2" fill="#fff"/><ellipse cx="${x + 33}" cy="${y + 5}" rx="3.4" ry="2.6" fill="#2a1712"/>
<path d="M${x + 26} ${y + 10}l24 -3M${x + 26} ${y + 12}l24 3M${x + 25} ${y + 14}l20 9" stroke="#fff" stroke-opacity="0.6" stroke-width="0.9"/>`;
}

function arms({ coat }: SquirrelLook, isDown: boolean): string {
  const path = isDown ? 'M232 226Q246 246 250 266' : 'M214 178Q236 186 244 160';
  const nut = isDown
    ? ''
    : '<ellipse cx="247" cy="152" rx="9" ry="11" fill="#9a6a34"/><path d="M239 147q8 -9 16 0" fill="#5b3c1c"/>';
  return `${nut}<path d="${path}" stroke="#000" stroke-opacity="0.25" stroke-width="19" fill="none" stroke-linecap="round"/><path d="${path}" stroke="${coat}" stroke-width="16" fill="none" stroke-linecap="round"/>`;
}
