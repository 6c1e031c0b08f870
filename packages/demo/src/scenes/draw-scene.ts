import { between, seededRandom } from '../random/index.js';
import type { Light } from './light.js';

/** The views of the cameras: a bird table with a trunk next to it, or the railing of a balcony. */
export const places = ['garden', 'balcony'] as const;
export type Place = (typeof places)[number];

/** The seasons, which change the colours of a scene. */
export const seasons = ['spring', 'summer', 'autumn', 'winter'] as const;
export type Season = (typeof seasons)[number];

/** The view of a camera without birds. */
export interface Scene {
  readonly place: Place;
  readonly season: Season;
  readonly light: Light;
}

/** The size of all clips in pixels. */
export const picture = { width: 1280, height: 720 } as const;

/** The areas in which birds may stand: x from left to right, y of their feet from back to front. */
export const standing = {
  garden: { left: 190, right: 820, back: 548, front: 582 },
  balcony: { left: 220, right: 1060, back: 556, front: 566 },
} as const;

/** The part of the trunk to which birds cling. */
export const trunk = { x: 1004, top: 300, bottom: 420 } as const;

interface Palette {
  readonly sky: readonly [string, string];
  readonly far: readonly string[];
  readonly near: readonly string[];
  readonly lawn: readonly [string, string];
  readonly flowers: readonly string[];
}

const palettes: Readonly<Record<Season, Palette>> = {
  spring: {
    sky: ['#bcdcf2', '#eef4ea'],
    far: ['#a9c98a', '#bcd79a', '#95bd7c'],
    near: ['#7fae5c', '#94bf6a', '#f1c9d6', '#f6dbe4'],
    lawn: ['#a5cf74', '#7fb055'],
    flowers: ['#f7d84a', '#f3a9c4', '#ffffff'],
  },
  summer: {
    sky: ['#a9d3f0', '#e6f1ee'],
    far: ['#6f9f5a', '#83b067', '#5d8d4e'],
    near: ['#4f8142', '#629550', '#3f6f3a'],
    lawn: ['#86b95c', '#5f9444'],
    flowers: ['#e2574c', '#f3c33c', '#b27ad0'],
  },
  autumn: {
    sky: ['#c4d4dd', '#f0e9dc'],
    far: ['#c58a3e', '#d6a04a', '#a9713a'],
    near: ['#b5652c', '#d08a35', '#8a5a30', '#c9a23f'],
    lawn: ['#a8a45c', '#7f8144'],
    flowers: ['#c8622c', '#d99a34', '#9a3f2c'],
  },
  winter: {
    sky: ['#c3d2de', '#edf1f3'],
    far: ['#b4bfc4', '#c8d1d5', '#9faeb4'],
    near: ['#7c8a88', '#93a09e', '#dfe6ea', '#5f7064'],
    lawn: ['#f0f4f7', '#d6dfe6'],
    flowers: ['#b03a34', '#f4f7f9', '#8d2f2c'],
  },
};

/** Draws the part that is out of focus in a small size, to be enlarged and blurred. */
export function drawBackground({ place, season, light }: Scene): string {
  const palette = palettes[season];
  const random = seededRandom(`${place} ${season}`);
  const shapes = place === 'garden' ? garden(palette, random) : town(palette, random);
  const glow =
    light === 'dawn'
      ? '<circle cx="250" cy="62" r="120" fill="url(#sun)"/>'
      : light === 'dusk'
        ? '<circle cx="60" cy="84" r="110" fill="url(#sun)"/>'
        : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" viewBox="0 0 320 180"><defs>
<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.sky[0]}"/><stop offset="1" stop-color="${palette.sky[1]}"/></linearGradient>
<linearGradient id="lawn" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${palette.lawn[0]}"/><stop offset="1" stop-color="${palette.lawn[1]}"/></linearGradient>
<radialGradient id="sun"><stop offset="0" stop-color="#fff1cc" stop-opacity="0.95"/><stop offset="0.35" stop-color="#ffd99a" stop-opacity="0.5"/><stop offset="1" stop-color="#ffcf8a" stop-opacity="0"/></radialGradient></defs>
<rect width="320" height="180" fill="url(#sky)"/>${shapes}${glow}${bokeh(random)}</svg>`;
}

function garden({ far, near, lawn: _, flowers }: Palette, random: () => number): string {
  const circle = (x: number, y: number, r: number, fill: string, opacity = 1) =>
    `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" fill-opacity="${opacity}"/>`;
  const some = (colours: readonly string[]) => colours[Math.floor(random() * colours.length)] ?? '#fff';
  const trees = Array.from({ length: 26 }, (_one, index) =>
    circle(
      index * 13 + between(random, -6, 6),
      between(random, 44, 84),
      between(random, 14, 30),
      some(far),
      0.9,
    ),
  );
  const hedge = Array.from({ length: 44 }, (_one, index) =>
    circle(
      index * 8 + between(random, -4, 4),
      between(random, 92, 116),
      between(random, 9, 19),
      some(near),
      0.95,
    ),
  );
  const bed = Array.from({ length: 46 }, () =>
    circle(random() * 320, between(random, 124, 150), between(random, 1.4, 3.6), some(flowers), 0.85),
  );
  return `${trees.join('')}<rect y="112" width="320" height="70" fill="url(#lawn)"/>${hedge.join('')}<rect y="132" width="320" height="50" fill="url(#lawn)"/>${bed.join('')}`;
}

function town({ far, near }: Palette, random: () => number): string {
  const walls = ['#e4cfae', '#d9b49a', '#cfc5b2', '#e9ddc6', '#c9a58c', '#dcd3c8'];
  const roofs = ['#a8543c', '#8f4a3a', '#b56a4a', '#7a5a4e'];
  const houses = Array.from({ length: 8 }, (_one, index) => {
    const x = index * 42 - 8;
    const top = between(random, 46, 84);
    const wide = between(random, 36, 46);
    const windows = Array.from({ length: 9 }, (_window, place) => {
      const lit = random() < 0.16 ? '#ffe2a0' : '#8fa3b2';
      return `<rect x="${x + 5 + (place % 3) * 12}" y="${top + 10 + Math.floor(place / 3) * 20}" width="6" height="10" fill="${lit}"/>`;
    });
    return `<path d="M${x - 2} ${top}L${x + wide / 2} ${top - 18}L${x + wide + 2} ${top}Z" fill="${roofs[index % roofs.length]}"/><rect x="${x}" y="${top}" width="${wide}" height="140" fill="${walls[index % walls.length]}"/>${windows.join('')}`;
  });
  const trees = Array.from({ length: 22 }, () => {
    const colours = [...far, ...near];
    const fill = colours[Math.floor(random() * colours.length)];
    return `<circle cx="${random() * 320}" cy="${between(random, 122, 160)}" r="${between(random, 10, 22)}" fill="${fill}"/>`;
  });
  return houses.join('') + trees.join('');
}

function bokeh(random: () => number): string {
  return Array.from({ length: 20 }, () => {
    const [x, y, r] = [random() * 320, between(random, 20, 126), between(random, 3, 9)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="#fffbe6" fill-opacity="${between(random, 0.06, 0.24)}"/>`;
  }).join('');
}

/** Draws what is in focus: what birds stand on. */
export function drawForeground(scene: Scene): string {
  const parts = scene.place === 'garden' ? birdTable(scene) : balcony(scene);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox="0 0 1280 720"><defs>
<linearGradient id="top" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a8794a"/><stop offset="1" stop-color="#c99a62"/></linearGradient>
<linearGradient id="front" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#8c5f36"/><stop offset="1" stop-color="#5f3f24"/></linearGradient>
<linearGradient id="post" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#7a5230"/><stop offset="0.4" stop-color="#a37445"/><stop offset="1" stop-color="#5f3f24"/></linearGradient>
<linearGradient id="bark" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#8a8178"/><stop offset="0.25" stop-color="#efeae2"/><stop offset="0.6" stop-color="#d9d2c7"/><stop offset="1" stop-color="#6f675f"/></linearGradient>
<linearGradient id="clay" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#a5532f"/><stop offset="0.35" stop-color="#cf7a4c"/><stop offset="1" stop-color="#8a4326"/></linearGradient>
<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.006 0.22" numOctaves="3" seed="11"/><feColorMatrix values="0 0 0 0 0.2  0 0 0 0 0.12  0 0 0 0 0.05  0.9 0 0 0 -0.28"/></filter>
<filter id="b4" x="-20%" y="-40%" width="140%" height="180%"><feGaussianBlur stdDeviation="5"/></filter><filter id="b14" x="-20%" y="-40%" width="140%" height="180%"><feGaussianBlur stdDeviation="14"/></filter>
<radialGradient id="edge" cx="0.5" cy="0.46" r="0.75"><stop offset="0.62" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="${scene.light === 'night' ? 0.85 : 0.26}"/></radialGradient></defs>
${parts}<rect width="1280" height="720" fill="url(#edge)"/></svg>`;
}

function birdTable(scene: Scene): string {
  const isWinter = scene.season === 'winter';
  const tray = 'M128 522L876 522L946 596L58 596Z';
  const snowy = isWinter
    ? '<path d="M128 522Q300 508 500 519T876 520L888 533Q700 540 520 532T120 535Z" fill="#fbfdff"/><path d="M58 596Q200 588 330 597T640 596T946 595L946 604Q860 618 780 604T560 608T330 606T140 612T58 604Z" fill="#fbfdff"/>'
    : '';
  return `${birch(isWinter)}
<ellipse cx="500" cy="690" rx="470" ry="46" fill="#000" fill-opacity="0.3" filter="url(#b14)"/>
<rect x="118" y="-10" width="40" height="540" fill="url(#post)"/><rect x="118" y="-10" width="40" height="540" filter="url(#grain)" opacity="0.5" transform="rotate(0)"/>
<path d="${tray}" fill="url(#top)"/><g clip-path="url(#t)"><clipPath id="t"><path d="${tray}"/></clipPath><rect x="50" y="515" width="910" height="90" filter="url(#grain)" opacity="0.75"/></g>
<path d="M300 522L262 596M480 522L474 596M664 522L694 596" stroke="#5b3d22" stroke-opacity="0.45" stroke-width="2.4"/>
${seeds(scene, 330, 700, 540, 584, 90)}
<path d="M128 522L876 522L878 528L124 528Z" fill="#6f4a2a" fill-opacity="0.55"/>
<path d="M58 596L946 596L946 650L58 650Z" fill="url(#front)"/><rect x="58" y="596" width="888" height="54" filter="url(#grain)" opacity="0.8"/>
<path d="M58 596L946 596" stroke="#e0b984" stroke-width="3" stroke-opacity="0.8"/>
<circle cx="96" cy="622" r="5" fill="#3b2a1a"/><circle cx="908" cy="622" r="5" fill="#3b2a1a"/>${snowy}
<path d="M-20 -20L520 -20L470 26L-20 64Z" fill="#5a3c24"/><path d="M-20 64L470 26L474 36L-20 78Z" fill="#3c2716"/>${isWinter ? '<path d="M-20 60Q200 46 470 24L476 34Q230 62 -20 82Z" fill="#fbfdff"/>' : ''}
${frame(scene)}`;
}

function birch(isWinter: boolean): string {
  const random = seededRandom('birch');
  const marks = Array.from({ length: 34 }, () => {
    const [y, x, w] = [random() * 720, 1008 + random() * 100, between(random, 14, 44)];
    return `<path d="M${x} ${y}q${w / 2} ${between(random, -6, 6)} ${w} 0q${-w / 2} ${between(random, 4, 10)} ${-w} 0Z" fill="#3a342f" fill-opacity="${between(random, 0.4, 0.85)}"/>`;
  });
  const snow = isWinter
    ? '<path d="M1004 0Q1012 200 1004 720L1016 720Q1024 300 1014 0Z" fill="#fff" fill-opacity="0.8"/>'
    : '';
  const feeder = `<path d="M1060 150q-6 30 -2 60" stroke="#55504a" stroke-width="3" fill="none"/>`;
  return `<path d="M1004 -10Q1010 240 1004 730L1138 730Q1128 300 1136 -10Z" fill="url(#bark)"/>${marks.join('')}${feeder}<path d="M1090 96Q1180 40 1290 30L1290 58Q1190 66 1108 118Z" fill="#b8b0a6"/>${snow}`;
}

function balcony(scene: Scene): string {
  const isWinter = scene.season === 'winter';
  const bars = Array.from({ length: 15 }, (_one, index) => {
    const x = 20 + index * 90;
    return `<rect x="${x}" y="590" width="18" height="150" fill="#3d4348"/><rect x="${x + 3}" y="590" width="4" height="150" fill="#6a7279"/>`;
  });
  const snow = isWinter
    ? '<path d="M-10 540Q160 528 330 541T700 538T1000 541T1290 536L1290 552Q1100 560 940 551T600 556T300 552T-10 558Z" fill="#fbfdff"/>'
    : '';
  return `${bars.join('')}
<path d="M-10 540L1290 540L1290 576L-10 576Z" fill="url(#top)"/><rect x="-10" y="540" width="1300" height="36" filter="url(#grain)" opacity="0.8"/>
<path d="M-10 576L1290 576L1290 604L-10 604Z" fill="url(#front)"/><path d="M-10 576L1290 576" stroke="#e3bd8a" stroke-width="2.6" stroke-opacity="0.8"/>${snow}
<ellipse cx="640" cy="564" rx="150" ry="15" fill="#000" fill-opacity="0.25" filter="url(#b4)"/>
<path d="M506 546L774 546L748 572L532 572Z" fill="url(#clay)"/><ellipse cx="640" cy="546" rx="134" ry="11" fill="#8a4326"/><ellipse cx="640" cy="547" rx="122" ry="8.4" fill="#5b3a22"/>
${seeds(scene, 540, 740, 541, 550, 70)}
${flowerBox(scene)}${frame(scene)}`;
}

function flowerBox({ season }: Scene): string {
  const random = seededRandom(`flowers ${season}`);
  const { flowers } = palettes[season];
  const leaf = season === 'winter' ? '#3f5a45' : season === 'autumn' ? '#6d7a3c' : '#4c8a45';
  const leaves = Array.from({ length: 90 }, () => {
    const [x, y] = [between(random, 60, 1220), between(random, 632, 712)];
    return `<ellipse cx="${x}" cy="${y}" rx="${between(random, 9, 22)}" ry="${between(random, 6, 12)}" transform="rotate(${between(random, -60, 60)} ${x} ${y})" fill="${leaf}" fill-opacity="${between(random, 0.7, 1)}"/>`;
  });
  const blossoms = Array.from({ length: 34 }, () => {
    const [x, y, r] = [between(random, 70, 1210), between(random, 620, 690), between(random, 5, 8)];
    const colour = flowers[Math.floor(random() * flowers.length)];
    const petals = [0, 72, 144, 216, 288].map(
      (angle) =>
        `<ellipse cx="${x}" cy="${y - r}" rx="${r * 0.75}" ry="${r}" transform="rotate(${angle} ${x} ${y})" fill="${colour}"/>`,
    );
    return `${petals.join('')}<circle cx="${x}" cy="${y}" r="${r * 0.5}" fill="#f0c34a"/>`;
  });
  return `<g filter="url(#b4)" opacity="0.96"><rect x="40" y="690" width="1200" height="60" fill="#6a4630"/>${leaves.join('')}${blossoms.join('')}</g>`;
}

/** Draws food on the table: sunflower seeds, peanuts and oats. */
function seeds({ season }: Scene, left: number, right: number, top: number, bottom: number, count: number) {
  const random = seededRandom(`seeds ${left}`);
  const kinds = ['#2b2522', '#3a322c', '#d8b27a', '#c99656', '#efe0b8', '#6e5136'];
  const middle = (left + right) / 2;
  return Array.from({ length: season === 'winter' ? count * 1.2 : count }, () => {
    const spread = (random() + random() + random()) / 3 - 0.5;
    const [x, y] = [middle + spread * (right - left) * 1.25, between(random, top, bottom)];
    const fill = kinds[Math.floor(random() * kinds.length)];
    return `<ellipse cx="${x}" cy="${y + 1.4}" rx="5.4" ry="2.6" fill="#000" fill-opacity="0.28"/><ellipse cx="${x}" cy="${y}" rx="5" ry="2.8" transform="rotate(${random() * 180} ${x} ${y})" fill="${fill}"/>`;
  }).join('');
}

/** Draws leaves close to the lens, which are out of focus. */
function frame({ season }: Scene): string {
  const random = seededRandom(`frame ${season}`);
  const { near } = palettes[season];
  const leaves = Array.from({ length: 9 }, () => {
    const [x, y] = [between(random, 1120, 1300), between(random, -30, 130)];
    return `<ellipse cx="${x}" cy="${y}" rx="${between(random, 30, 62)}" ry="${between(random, 14, 26)}" transform="rotate(${between(random, 10, 80)} ${x} ${y})" fill="${near[Math.floor(random() * near.length)]}" fill-opacity="0.8"/>`;
  });
  return `<g filter="url(#b14)">${leaves.join('')}</g>`;
}

/** Draws snowflakes twice the height of the picture; they repeat, so that the image can move down in a loop. */
export function drawSnow(): string {
  const random = seededRandom('snow');
  const flakes = Array.from({ length: 90 }, () => {
    const [x, y, r] = [random() * picture.width, random() * picture.height, between(random, 1.6, 4.6)];
    const one = (top: number) =>
      `<circle cx="${x}" cy="${top}" r="${r}" fill="#fff" fill-opacity="${between(random, 0.5, 0.9)}"/>`;
    return one(y) + one(y + picture.height);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${picture.width}" height="${picture.height * 2}">${flakes.join('')}</svg>`;
}
