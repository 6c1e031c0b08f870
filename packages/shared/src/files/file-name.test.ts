import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFileName } from './file-name.js';

describe('toFileName', () => {
  it.each([
    ['Great Tit', 'Great Tit'],
    ['Sýkora koňadra', 'Sýkora koňadra'],
    ['大山雀', '大山雀'],
    ['Synkora\u0301', 'Synkorá'],
    ['Tit/Chickadee', 'Tit_Chickadee'],
    ['a\\b:c*d?e"f<g>h|i', 'a_b_c_d_e_f_g_h_i'],
    ['Tit\u0000\n\u200b', 'Tit___'],
    ['Gull sp.', 'Gull sp_'],
    ['..', '_'],
    ['../../etc', '__.._etc'],
    ['.hidden', '_hidden'],
    ['', '_'],
    ['CON', 'CON_'],
    ['aux.jpg', 'aux_.jpg'],
    ['Com1', 'Com1_'],
    ['Condor', 'Condor'],
  ])('%j, becomes %j', (text, name) => {
    expect(toFileName(text)).toBe(name);
  });

  it('a long name, is cut between characters at 120 bytes', () => {
    expect(toFileName('鳥'.repeat(200))).toBe('鳥'.repeat(40));
    expect(toFileName(`a${'🐦'.repeat(60)}`)).toBe(`a${'🐦'.repeat(29)}`);
  });

  it('any text, becomes a name that file systems accept', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const name = toFileName(text);
        expect(name).not.toMatch(/[\\/:*?"<>|\p{C}]|^\.|[. ]$|^$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(121);
        expect(toFileName(name)).toBe(name);
      }),
    );
  });
});
