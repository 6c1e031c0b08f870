import { describe, expect, it } from 'vitest';
import { boxAt, cornerAt, overlayExpression } from './motion-path.js';

const path = {
  x: { middle: 320, reach: 100, period: 8, phase: 0 },
  y: { middle: 180, reach: 40, period: 4, phase: 0 },
};
const size = { width: 80, height: 56 };

describe('motion path', () => {
  it('corner, through a quarter of the swing, moves from the middle to the reach', () => {
    expect(cornerAt(path, size, 0)).toEqual({ left: 280, top: 152 });
    expect(cornerAt(path, size, 1)).toEqual({ left: 350, top: 192 });
    expect(cornerAt(path, size, 2)).toEqual({ left: 380, top: 152 });
  });

  it('corner, between pixels, stands on even ones', () => {
    const { left, top } = cornerAt(path, size, 0.37);
    expect([left % 2, top % 2]).toEqual([0, 0]);
  });

  it('box, at an instant, surrounds the subject in shares of the picture', () => {
    expect(boxAt(path, size, 0)).toEqual([280 / 640, 0.42222, 360 / 640, 0.57778]);
  });

  it('overlayExpression, of an axis, is the same motion in seconds', () => {
    expect(overlayExpression(path.x, size.width)).toBe('320+100*sin(2*PI*t/8+0)-40');
  });
});
