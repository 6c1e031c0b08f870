import { describe, expect, it } from 'vitest';
import { drawPort, isPortRefused, listenOnAny } from './any-port.js';

const refusal = (code: string) => Object.assign(new Error(code), { code });

describe('drawPort', () => {
  it('with every port but one excluded, returns that one', () => {
    const except = Array.from({ length: 12_000 }, (_, index) => 20_000 + index).filter(
      (port) => port !== 25_001,
    );
    expect(drawPort(except)).toBe(25_001);
  });
});

describe('listenOnAny', () => {
  it('a free wanted port, is used', async () => {
    expect(await listenOnAny(async (port) => port, 9_464)).toBe(9_464);
  });

  it.each(['EADDRINUSE', 'EACCES'])(
    'a wanted port refused with %s, is replaced by one that is not excluded',
    async (code) => {
      const except = Array.from({ length: 11_999 }, (_, index) => 20_001 + index);
      const tried: number[] = [];
      const listen = async (port: number) => {
        tried.push(port);
        if (tried.length < 3) throw refusal(code);
        return port;
      };
      expect(await listenOnAny(listen, 9_464, except)).toBe(20_000);
      expect(tried).toEqual([9_464, 20_000, 20_000]);
    },
  );

  it('another error, is thrown after one attempt', async () => {
    let attempts = 0;
    const listen = async () => {
      attempts += 1;
      throw refusal('EADDRNOTAVAIL');
    };
    await expect(listenOnAny(listen, 9_464)).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
    expect(attempts).toBe(1);
  });

  it('with every port refused, throws after a limited number of attempts', async () => {
    const listen = async () => {
      throw refusal('EADDRINUSE');
    };
    await expect(listenOnAny(listen, 9_464)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

describe('isPortRefused', () => {
  it('a value that is not an Error, returns false', () => {
    expect(isPortRefused('EADDRINUSE')).toBe(false);
  });
});
