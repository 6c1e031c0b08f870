import { describe, expect, it } from 'vitest';
import { replaceTables } from './document.js';

const document = 'before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n';

describe('replaceTables', () => {
  it('what stands between the marks, is replaced and nothing else', () => {
    const replaced = replaceTables(document, 'new');
    expect(replaced).toBe('before\n<!-- bench:begin -->\n\nnew\n\n<!-- bench:end -->\nafter\n');
    expect(replaceTables(replaced, 'new')).toBe(replaced);
  });

  it('nothing, where tables were, leaves the marks alone', () => {
    expect(replaceTables(document, '')).toBe('before\n<!-- bench:begin -->\n<!-- bench:end -->\nafter\n');
  });

  it('marks, of another name, are found by it', () => {
    const other = document.replaceAll('bench:', 'soak:');
    expect(replaceTables(other, 'new', 'soak')).toContain('<!-- soak:begin -->\n\nnew\n\n<!-- soak:end -->');
  });

  it('a document, without marks, throws', () => {
    expect(() => replaceTables('text', 'new')).toThrow('bench:begin');
  });
});
