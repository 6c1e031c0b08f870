import { describe, expect, it } from 'vitest';
import type { Frame } from '../recordings/recording-types.js';
import { chooseFrame } from './choose-frame.js';

const at = (t: number, ...bbox: Frame['bbox']): Frame => ({ t, bbox });
const choose = (...frames: Frame[]) => chooseFrame({ startOffset: 2, endOffset: 5, frames });

describe('chooseFrame', () => {
  it('several boxes, is the one that covers most', () => {
    expect(choose(at(2, 0, 0, 0.2, 0.2), at(3, 0, 0, 0.5, 0.3), at(4, 0, 0, 0.3, 0.3))).toEqual({
      seconds: 3,
      box: [0, 0, 0.5, 0.3],
    });
  });

  it('a box that reaches out of the picture, counts as what is seen of it', () => {
    expect(choose(at(2, 0.9, 0, 1.05, 1.05), at(3, 0.4, 0, 0.52, 1)).seconds).toBe(3);
  });

  it('boxes of a size, is the first', () => {
    expect(choose(at(4, 0, 0, 0.25, 0.5), at(3, 0, 0, 0.5, 0.25)).seconds).toBe(4);
  });

  it.each([
    ['no boxes', []],
    ['boxes outside the picture and of no size', [at(3, 1, 0, 1.05, 1), at(4, 0.5, 0.5, 0.5, 0.5)]],
  ])('%s, is the middle of the segment', (_, frames) => {
    expect(choose(...frames)).toEqual({ seconds: 3.5, box: undefined });
  });
});
