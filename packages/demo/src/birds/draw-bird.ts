import { seededRandom } from '../random/index.js';
import {
  billAt,
  closedPath,
  createWarp,
  eyeAt,
  hip,
  linePath,
  mix,
  outline,
  type Point,
  patches,
  plus,
  rotate,
  shoulderAt,
  type Turn,
  tailAt,
  type Warp,
  wing,
  write,
} from './anatomy.js';
import type { BirdLook, Colour, Pose } from './bird-look.js';

/** A drawing, and the point in it that touches the ground. */
export interface Drawing {
  readonly svg: string;
  /** Width and height of the drawing in its own units. */
  readonly size: number;
  readonly foot: Point;
}

/** The visible area, in units of the drawing, with room for wings and long tails. */
const view = { left: -90, top: -70, size: 340 } as const;
const ground = 172;

const turns: Readonly<Record<Pose, Turn>> = {
  stand: { body: 0, head: 0 },
  look: { body: -4, head: -9 },
  alert: { body: -10, head: 6 },
  peck: { body: 46, head: 30 },
  dip: { body: 22, head: 14 },
  hop: { body: -6, head: 2 },
  'wings-up': { body: 12, head: -8 },
  'wings-down': { body: 14, head: -8 },
  glide: { body: -14, head: 4 },
};

const isFlying = (pose: Pose) => pose === 'wings-up' || pose === 'wings-down' || pose === 'glide';

/** Draws a bird that faces right. */
export function drawBird(look: BirdLook, pose: Pose): Drawing {
  const flies = isFlying(pose);
  const clings = look.clings === true && !flies;
  const shape = look.clings && flies ? { ...look.shape, lean: 0 } : (look.shape ?? {});
  const turn = turns[pose];
  const warp = createWarp(shape, clings ? { body: turn.body * 0.3, head: turn.head * 0.4 } : turn);
  const leg = shape.leg ?? 1;
  const footY = ground - 22 + 22 * leg;
  const foot: Point = look.clings ? plus(hip, [24, 0]) : [106, footY];
  const parts = [
    flies ? drawOpenWing(look, warp, pose, true) : '',
    drawTail(look, warp, flies),
    flies ? '' : drawLegs(look, warp, footY, pose),
    drawBody(look, warp),
    drawBill(look, warp, pose),
    flies ? drawOpenWing(look, warp, pose, false) : drawFoldedWing(look, warp),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${view.left} ${view.top} ${view.size} ${view.size}" width="${view.size}" height="${view.size}">
<defs>
<clipPath id="body"><path d="${closedPath(outline.map(warp.point))}"/></clipPath>
<linearGradient id="light" x1="0.35" y1="0" x2="0.6" y2="1"><stop offset="0" stop-color="#fff" stop-opacity="0.2"/><stop offset="0.45" stop-color="#fff" stop-opacity="0"/><stop offset="0.62" stop-color="#201810" stop-opacity="0.02"/><stop offset="1" stop-color="#201810" stop-opacity="0.38"/></linearGradient>
<filter id="soft1" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="1"/></filter>
<filter id="soft2" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="2.4"/></filter>
<filter id="soft3" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="5"/></filter>
</defs>
${parts.join('\n')}
</svg>`;
  return { svg, size: view.size, foot: [foot[0] - view.left, foot[1] - view.top] };
}

function drawBody(look: BirdLook, warp: Warp): string {
  const body = closedPath(outline.map(warp.point));
  const marks = look.patches.map(
    ([name, colour, softness = 1]) =>
      `<path d="${closedPath(patches[name].map((point) => warp.point(point as Point)))}" fill="${colour}"${blur(softness)}/>`,
  );
  return [
    drawCrest(look, warp),
    `<path d="${body}" fill="${look.body}"/>`,
    '<g clip-path="url(#body)">',
    ...marks,
    drawStreaks(look, warp),
    drawSpots(look, warp),
    drawDown(warp),
    `<path d="${body}" fill="url(#light)"/>`,
    // Against the background, the edge of the plumage is soft and slightly darker.
    `<path d="${body}" fill="none" stroke="#1a140c" stroke-opacity="0.28" stroke-width="5" filter="url(#soft2)"/>`,
    '</g>',
    drawEye(look, warp),
  ].join('');
}

const blur = (softness: number) => (softness <= 0 ? '' : ` filter="url(#soft${Math.min(softness, 3)})"`);

function drawCrest({ shape, patches: marks, body }: BirdLook, warp: Warp): string {
  const height = shape?.crest ?? 0;
  if (!height) return '';
  const colour = marks.findLast(([name]) => name === 'cap' || name === 'crown')?.[1] ?? body;
  const tip: Point = [103 - 13 * height, 46 - 24 * height];
  const points: Point[] = [[143, 60], [135, 51], [121, 47 - 5 * height], tip, [103, 50], [96, 62], [116, 68]];
  return `<path d="${linePath(points.map(warp.onHead))}Z" fill="${colour}" stroke="${colour}" stroke-width="4" stroke-linejoin="round"/>`;
}

function drawEye({ eye = {} }: BirdLook, warp: Warp): string {
  const { colour = '#140d08', ring, size = 1 } = eye;
  const [x, y] = warp.onHead(eyeAt);
  const r = 4.6 * size;
  const [shineX, shineY] = [x + r * 0.3, y - r * 0.38];
  return [
    ring === undefined ? '' : `<circle cx="${x}" cy="${y}" r="${r + 2.2}" fill="${ring}"/>`,
    `<circle cx="${x}" cy="${y}" r="${r + 0.7}" fill="#0a0806" fill-opacity="0.55"/>`,
    `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`,
    colour === '#140d08' ? '' : `<circle cx="${x}" cy="${y}" r="${r * 0.55}" fill="#0a0806"/>`,
    `<circle cx="${shineX}" cy="${shineY}" r="${r * 0.34}" fill="#fff" fill-opacity="0.95"/>`,
    `<circle cx="${x - r * 0.35}" cy="${y + r * 0.4}" r="${r * 0.18}" fill="#fff" fill-opacity="0.4"/>`,
  ].join('');
}

/** Extent of each bill above and below its base, its length, and the bend of its upper edge. */
const bills = {
  thin: { up: 3.6, down: 3, length: 14, bend: 0.3 },
  cone: { up: 7.5, down: 6.5, length: 15, bend: 1 },
  stout: { up: 5, down: 4.2, length: 20, bend: 1 },
  chisel: { up: 4.6, down: 4, length: 24, bend: 0.1 },
  dove: { up: 3.2, down: 2.8, length: 15, bend: 0.9 },
} as const;

function drawBill({ bill }: BirdLook, warp: Warp, pose: Pose): string {
  const { kind, colour, lower = colour, length = 1, depth = 1 } = bill;
  const form = bills[kind];
  const [x, y] = billAt;
  const reach = x + form.length * length;
  const up = form.up * depth;
  const down = form.down * depth;
  const gape = pose === 'alert' ? 2.2 : 0;
  const at = (dx: number, dy: number) => write(warp.onHead([dx, dy]));
  const drop = form.bend * 2.4;
  const top = `M${at(x - 5, y - up)}Q${at(x + (reach - x) * 0.55, y - up * (0.7 + 0.3 * form.bend))} ${at(reach, y + drop - gape)}L${at(x - 3, y)}Z`;
  const under = `M${at(x - 5, y + down)}Q${at(x + (reach - x) * 0.5, y + down * 0.9)} ${at(reach - 2, y + drop + gape)}L${at(x - 3, y)}Z`;
  const gap = `M${at(x - 5, y + 0.4)}Q${at(x + (reach - x) * 0.5, y + 0.4)} ${at(reach - 2, y + drop)}`;
  return [
    `<path d="${under}" fill="${lower}"/>`,
    `<path d="${top}" fill="${colour}"/>`,
    `<path d="${top}" fill="#fff" fill-opacity="0.12"/>`,
    `<path d="${gap}" stroke="#000" stroke-opacity="0.4" stroke-width="0.9" fill="none"/>`,
  ].join('');
}

function drawTail({ tail, shape }: BirdLook, warp: Warp, flies: boolean): string {
  const { colour, length = 1, width = 1, outer, tip, fork = 0.12, cocked = 0, barred } = tail;
  const long = 44 * length;
  const spread = (flies ? 2 : 1) * width;
  const base = tailAt;
  const aim = 152 + cocked;
  const toward = (distance: number, side: number): Point =>
    rotate([base[0] + distance, base[1] + side], base, aim);
  const half = 7.5;
  const points: Point[] = [
    toward(-14, -half),
    toward(long * 0.6, -half * spread),
    toward(long, -half * 0.95 * spread),
    toward(long * (1 - fork), 0),
    toward(long, half * 0.95 * spread),
    toward(long * 0.6, half * spread),
    toward(-14, half + 1),
  ];
  // On the screen, negative offsets are below the middle of the tail.
  const [lowA, lowB] = [toward(2, -half * 0.9), toward(long * 0.97, -half * 0.8 * spread)];
  const [highA, highB] = [toward(8, half * 0.9), toward(long * 0.97, half * 0.8 * spread)];
  const path = `${linePath(points.map(warp.onBody))}Z`;
  const line = (from: Point, to: Point, stroke: Colour, thick: number, opacity = 1) =>
    `<path d="${linePath([warp.onBody(from), warp.onBody(to)])}" stroke="${stroke}" stroke-width="${thick}" stroke-opacity="${opacity}" stroke-linecap="round"/>`;
  const bars = barred
    ? [0.3, 0.45, 0.6, 0.75, 0.9].map((share) =>
        line(
          toward(long * share, -half * 0.8 * spread),
          toward(long * share, half * 0.8 * spread),
          barred,
          2.2,
        ),
      )
    : [];
  const tips = tip
    ? `<path d="${linePath([toward(long * 0.84, -half * spread), toward(long, -half * 0.95 * spread), toward(long * (1 - fork), 0), toward(long, half * 0.95 * spread), toward(long * 0.84, half * spread)].map(warp.onBody))}Z" fill="${tip}"/>`
    : '';
  const depth = shape?.depth ?? 1;
  return [
    `<path d="${path}" fill="${colour}" stroke="${colour}" stroke-width="2.5" stroke-linejoin="round"/>`,
    tips,
    ...bars,
    outer ? line(lowA, lowB, outer, 3.4 * depth) + (flies ? line(highA, highB, outer, 3.4) : '') : '',
    line(toward(6, 1.5), toward(long * 0.93, 1.5), '#000', 0.8, 0.3),
    line(toward(6, -3), toward(long * 0.95, -3 * spread), '#fff', 0.7, 0.14),
    line(toward(4, half * 0.7), toward(long * 0.95, half * 0.7 * spread), '#fff', 0.8, 0.2),
  ].join('');
}

function drawLegs({ legs, clings, shape }: BirdLook, warp: Warp, footY: number, pose: Pose): string {
  if (clings) {
    const at = warp.onBody([122, 148]);
    const toes = (y: number) => {
      const end: Point = [hip[0] + 32, y];
      return `<path d="M${write(at)}L${write([end[0] - 8, y + 3])}M${write([end[0] - 10, y + 4])}L${write(end)}M${write([end[0] - 10, y + 4])}L${write([end[0], y + 7])}" stroke="${legs}" stroke-width="3.4" stroke-linecap="round" fill="none"/>`;
    };
    return toes(at[1] + 2) + toes(at[1] + 14);
  }
  const thick = 2.8 * Math.min(1.35, Math.max(0.85, shape?.leg ?? 1));
  const lift = pose === 'hop' ? -5 : 0;
  const leg = (from: Point, x: number, y: number, shade: number) => {
    const knee = mix(from, [x, y], 0.5);
    const bent: Point = [knee[0] - 4, knee[1]];
    const toes = [
      [x + 10, y + 1.5],
      [x + 7, y + 4],
      [x - 7, y + 1.5],
    ] as const;
    return `<g stroke="${legs}" stroke-width="${thick}" stroke-linecap="round" fill="none"><path d="M${write(from)}L${write(bent)}L${write([x, y])}"/>${toes
      .map((toe) => `<path d="M${write([x, y])}L${write(toe)}" stroke-width="${thick * 0.85}"/>`)
      .join(
        '',
      )}</g>${shade ? `<path d="M${write(from)}L${write(bent)}L${write([x, y])}" stroke="#000" stroke-opacity="${shade}" stroke-width="${thick}" fill="none" stroke-linecap="round"/>` : ''}`;
  };
  const y = footY - 3 + lift;
  return leg(warp.onBody([104, 148]), 114, y - 1.5, 0.25) + leg(warp.onBody([94, 149]), 101, y, 0);
}

function drawFoldedWing({ wing: colours }: BirdLook, warp: Warp): string {
  const { coverts, flight, bar, secondBar, panel, primaries, edge, barred } = colours;
  const path = (points: readonly Point[]) => closedPath(points.map(warp.onBody));
  const part = (points: readonly Point[], colour: Colour | undefined, softness = 0) =>
    colour === undefined ? '' : `<path d="${path(points)}" fill="${colour}"${blur(softness)}/>`;
  const starts: readonly Point[] = [
    [90, 101],
    [88, 107],
    [88, 113],
    [91, 119],
    [96, 125],
    [103, 128],
  ];
  const ends: readonly Point[] = [
    [58, 119.5],
    [46, 129],
    [36, 137],
    [44, 141.5],
    [58, 141.5],
    [78, 139.5],
  ];
  const feathers = starts.map((from, index) => [from, ends[index] ?? from] as const);
  const lines = feathers.map(
    ([from, to], index) =>
      `<path d="M${write(warp.onBody(from))}Q${write(warp.onBody(mix(from, plus(to, [4, -3]), 0.6)))} ${write(warp.onBody(to))}" stroke="${edge ?? '#fff'}" stroke-opacity="${edge ? 0.9 : 0.16 + 0.02 * index}" stroke-width="${edge ? 1.7 : 1.2}" fill="none"/><path d="M${write(warp.onBody(plus(from, [-1, 1.6])))}Q${write(warp.onBody(mix(from, plus(to, [4, -1]), 0.6)))} ${write(warp.onBody(plus(to, [0, 1.6])))}" stroke="#000" stroke-opacity="0.3" stroke-width="0.9" fill="none"/>`,
  );
  const bars = barred
    ? feathers.flatMap(([from, to]) =>
        [0.15, 0.34, 0.53, 0.72, 0.9].map((share) => {
          const [x, y] = warp.onBody(mix(from, to, share));
          return `<ellipse cx="${x}" cy="${y}" rx="3.4" ry="2" fill="${barred}"/>`;
        }),
      )
    : [];
  const scallops = [
    [112, 96],
    [104, 97],
    [98, 101],
    [108, 104],
    [100, 108],
    [94, 108],
    [114, 107],
    [106, 113],
    [99, 117],
    [110, 115],
  ] as const;
  return [
    `<defs><clipPath id="wing"><path d="${path(wing.whole)}"/></clipPath></defs>`,
    `<path d="${path(wing.whole)}" fill="#000" fill-opacity="0.3" transform="translate(1 3)" filter="url(#soft2)"/>`,
    part(wing.whole, flight),
    '<g clip-path="url(#wing)">',
    part(wing.primaries, primaries, 1),
    part(wing.panel, panel, 0),
    ...lines,
    ...bars,
    part(wing.coverts, coverts, 1),
    ...scallops.map((at) => {
      const [x, y] = warp.onBody(at);
      return `<path d="M${x - 4} ${y - 1}Q${x - 3} ${y + 3.6} ${x + 2} ${y + 3}" stroke="#000" stroke-opacity="0.16" stroke-width="1" fill="none"/>`;
    }),
    part(wing.bar, bar, 0),
    part(wing['second bar'], secondBar, 0),
    `<path d="${path(wing.whole)}" fill="none" stroke="#000" stroke-opacity="0.3" stroke-width="3" filter="url(#soft1)"/>`,
    '</g>',
  ].join('');
}

/** Draws an open wing as a fan of primaries and secondaries. */
function drawOpenWing(look: BirdLook, warp: Warp, pose: Pose, isFar: boolean): string {
  const { coverts, flight, bar, panel, primaries, barred } = look.wing;
  const root = warp.onBody(isFar ? plus(shoulderAt, [8, -6]) : shoulderAt);
  const span = 84 * (look.shape?.length ?? 1);
  const isUp = pose !== 'wings-down';
  const [from, to] = isUp ? (pose === 'glide' ? [-62, -172] : [-72, -165]) : [78, 150];
  const shift = isFar ? (isUp ? 16 : -18) : 0;
  const feathers = Array.from({ length: 12 }, (_, index) => {
    const share = index / 11;
    const angle = from + shift + (to - from) * share;
    // Primaries are longer than secondaries.
    const length = span * (share < 0.5 ? 1 - 0.1 * Math.abs(share - 0.12) * 4 : 0.8 - 0.5 * (share - 0.5));
    const base = plus(root, rotate([-share * 30, share * 8], [0, 0], 0));
    const colour = share < 0.45 ? (primaries ?? flight) : flight;
    const feather = `<path d="M0 -5Q${length * 0.7} -9.5 ${length} -1Q${length * 0.75} 7.5 0 5Z" fill="${colour}" stroke="#000" stroke-opacity="0.22" stroke-width="0.9"/>`;
    const band = panel ?? bar;
    const across = band
      ? `<path d="M${length * 0.48} -6.2L${length * 0.62} -6.6L${length * 0.62} 6L${length * 0.48} 6Z" fill="${band}"/>`
      : '';
    const dots = barred
      ? [0.4, 0.6, 0.8]
          .map((at) => `<ellipse cx="${length * at}" cy="0" rx="4" ry="5" fill="${barred}"/>`)
          .join('')
      : '';
    return `<g transform="translate(${write(base)}) rotate(${angle})">${feather}${across}${dots}</g>`;
  });
  const ordered = isUp ? feathers.toReversed() : feathers;
  const reach = span * 0.46;
  const arm = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    plus(root, rotate([reach * (1 - share * 0.25), 0], [0, 0], from + shift + (to - from) * share)),
  );
  const armPath = closedPath([plus(root, [6, 2]), ...arm, plus(root, [-34, 10])]);
  const shade = isFar ? '<g opacity="0.96" filter="url(#far)">' : '<g>';
  return `${isFar ? '<defs><filter id="far"><feComponentTransfer><feFuncR type="linear" slope="0.72"/><feFuncG type="linear" slope="0.72"/><feFuncB type="linear" slope="0.74"/></feComponentTransfer></filter></defs>' : ''}${shade}${ordered.join('')}<path d="${armPath}" fill="${coverts}" stroke="#000" stroke-opacity="0.15"/></g>`;
}

/** Draws fine strokes along the body that look like small feathers and are cheap to render. */
function drawDown(warp: Warp): string {
  const random = seededRandom('down');
  const strokes = () =>
    Array.from({ length: 110 }, () => {
      const from: Point = [44 + random() * 106, 52 + random() * 100];
      const to = plus(from, [-4 - random() * 3, 2.5 + random() * 2]);
      return linePath([warp.point(from), warp.point(to)]);
    }).join('');
  const line = (colour: Colour, opacity: number) =>
    `<path d="${strokes()}" stroke="${colour}" stroke-width="1" stroke-opacity="${opacity}" stroke-linecap="round" fill="none"/>`;
  return line('#1a120a', 0.15) + line('#fff', 0.13);
}

function drawStreaks({ streaks }: BirdLook, warp: Warp): string {
  if (!streaks) return '';
  const random = seededRandom('streaks');
  const strokes = Array.from({ length: 46 }, () => {
    const x = 84 + random() * 64;
    const y = 100 + random() * 48;
    return `<path d="M${write(warp.point([x, y]))}L${write(warp.point([x - 4.5, y + 8]))}" stroke="${streaks}" stroke-width="${2 + random() * 1.4}" stroke-linecap="round" stroke-opacity="0.8"/>`;
  });
  return strokes.join('');
}

function drawSpots({ spots }: BirdLook, warp: Warp): string {
  if (!spots) return '';
  const random = seededRandom('spots');
  return Array.from({ length: 150 }, () => {
    const [x, y] = warp.point([40 + random() * 110, 52 + random() * 100]);
    return `<ellipse cx="${x}" cy="${y}" rx="${1 + random()}" ry="${1.4 + random() * 1.2}" transform="rotate(35 ${x} ${y})" fill="${spots}" fill-opacity="${0.65 + random() * 0.35}"/>`;
  }).join('');
}
