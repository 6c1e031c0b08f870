import { describe, expect, it } from 'vitest';
import { checkNode, isInstalled } from './packages.mjs';

const one = { version: '1.0.0', integrity: 'sha512-a' };

describe('isInstalled', () => {
  it('with all packages of the lock installed, returns true', () => {
    expect(isInstalled({ '': {}, 'node_modules/a': one }, { 'node_modules/a': one })).toBe(true);
  });

  it('with another version installed, returns false', () => {
    expect(isInstalled({ 'node_modules/a': one }, { 'node_modules/a': { ...one, version: '1.0.1' } })).toBe(
      false,
    );
  });

  it('with other content of the same version installed, returns false', () => {
    expect(isInstalled({ 'node_modules/a': one }, { 'node_modules/a': { ...one, integrity: 'b' } })).toBe(
      false,
    );
  });

  it('with a missing package, returns false', () => {
    expect(isInstalled({ 'node_modules/a': one }, {})).toBe(false);
  });

  it('with a missing optional package, returns true', () => {
    expect(isInstalled({ 'node_modules/a': { ...one, optional: true } }, {})).toBe(true);
  });
});

describe('checkNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0'])('Node.js %s, is accepted', (version) => {
    expect(() => checkNode(version, 'linux')).not.toThrow();
  });

  it.each(['18.20.0', '20.18.3'])('Node.js %s, is refused with what to do', (version) => {
    expect(() => checkNode(version, 'linux')).toThrow(
      /needs Node\.js 20\.19 or newer, but this is .* install/,
    );
  });

  it('Windows, is refused with what to do', () => {
    expect(() => checkNode('20.19.0', 'win32')).toThrow(/WSL/);
  });
});
