import type { Coat } from './bird-lists.js';

/** Red, green, blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The colour of a bird's body, the largest part of it. */
export const coatColours: Record<Coat, Colour> = {
  red: [205, 55, 35],
  blue: [30, 60, 190],
  yellow: [240, 215, 30],
  brown: [125, 70, 25],
  dark: [25, 22, 28],
  grey: [120, 122, 130],
};

/** A shape: an ffmpeg condition on a pixel (X, Y of W by H), and what it is painted with. */
type Layer = { where: string; colour: Colour };

/** A bird that looks to the right and fills its picture; ffmpeg's `geq` options for one RGBA frame. */
export function birdExpression(coat: Coat): string {
  const body = coatColours[coat];
  const layers: Layer[] = [
    { where: ellipse(0.79, 0.24, 0.022, 0.045), colour: [250, 250, 250] },
    { where: ellipse(0.92, 0.32, 0.08, 0.06), colour: [235, 150, 40] },
    { where: ellipse(0.44, 0.5, 0.2, 0.18), colour: shaded(body, 0.7) },
    { where: ellipse(0.75, 0.3, 0.15, 0.29), colour: body },
    { where: ellipse(0.5, 0.56, 0.33, 0.43), colour: body },
    { where: ellipse(0.14, 0.5, 0.14, 0.1), colour: shaded(body, 0.7) },
  ];
  return `${channels(layers, '0')}:a='255*${any(layers)}'`;
}

/** A garden: sky, a lawn with some texture, a feeding table on a post; `geq` options for one RGB frame. */
export function gardenExpression(light: 'day' | 'night'): string {
  const lit = light === 'day' ? 1 : 0.18;
  const layers: Layer[] = [
    { where: inside(0.36, 0.74, 0.64, 0.77), colour: shaded([150, 160, 150], lit) },
    { where: inside(0.485, 0.77, 0.515, 0.97), colour: shaded([105, 115, 108], lit) },
    { where: 'lt(Y,H*0.42+6*sin(X/45))', colour: shaded([185, 215, 238], lit) },
  ];
  const texture = `${lit}*10*(sin(X/5+Y/3)+sin(X/11)*sin(Y/7))`;
  return channels(layers, texture, shaded([95, 165, 80], lit));
}

/** One expression a channel: the first layer whose condition holds, else the ground with its texture. */
function channels(layers: readonly Layer[], texture: string, ground: Colour = [0, 0, 0]): string {
  const names = ['r', 'g', 'b'] as const;
  const expressions = names.map((name, index) => {
    const painted = layers.reduceRight(
      (below, { where, colour }) => `if(${where},${colour[index]},${below})`,
      `${ground[index]}+${texture}`,
    );
    return `${name}='${painted}'`;
  });
  return expressions.join(':');
}

function ellipse(x: number, y: number, halfWidth: number, halfHeight: number): string {
  return `lte(pow((X/W-${x})/${halfWidth},2)+pow((Y/H-${y})/${halfHeight},2),1)`;
}

function inside(left: number, top: number, right: number, bottom: number): string {
  return `between(X/W,${left},${right})*between(Y/H,${top},${bottom})`;
}

function any(layers: readonly Layer[]): string {
  return `gt(${layers.map((layer) => layer.where).join('+')},0)`;
}

function shaded(colour: Colour, share: number): Colour {
  const [red, green, blue] = colour;
  return [Math.round(red * share), Math.round(green * share), Math.round(blue * share)];
}
