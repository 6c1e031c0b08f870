import { describe, expect, it } from 'vitest';
import { replaceTables } from './replace-tables.js';

const document = 'before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n';

describe('replaceTables', () => {
  it('with text between the marks, replaces only that', () => {
    const replaced = replaceTables(document, 'new');
    expect(replaced).toBe('before\n<!-- bench:begin -->\n\nnew\n\n<!-- bench:end -->\nafter\n');
    expect(replaceTables(replaced, 'new')).toBe(replaced);
  });

  it('with empty tables, keeps only the marks', () => {
    expect(replaceTables(document, '')).toBe('before\n<!-- bench:begin -->\n<!-- bench:end -->\nafter\n');
  });

  it('with another name, replaces between the marks of that name', () => {
    const other = document.replaceAll('bench:', 'soak:');
    expect(replaceTables(other, 'new', 'soak')).toContain('<!-- soak:begin -->\n\nnew\n\n<!-- soak:end -->');
  });

  it('without marks, throws', () => {
    expect(() => replaceTables('text', 'new')).toThrow('bench:begin');
  });
});
