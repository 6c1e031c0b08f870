import { afterEach, describe, expect, it, vi } from 'vitest';
import { reloadOnce } from './reload-once';

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

describe('reloadOnce', () => {
  it('called again after the reload, does not reload', async () => {
    vi.stubGlobal('fetch', async () => new Response());
    const reload = vi.fn();
    expect([await reloadOnce(reload), await reloadOnce(reload)]).toEqual([true, false]);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('while the browser blocks storage, does not reload', async () => {
    const blocked = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('sessionStorage', { getItem: blocked, setItem: blocked });
    const reload = vi.fn();
    expect(await reloadOnce(reload)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  it('while the hub cannot be reached, keeps the page and reloads later', async () => {
    const reload = vi.fn();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await reloadOnce(reload)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
    vi.stubGlobal('fetch', async () => new Response());
    expect(await reloadOnce(reload)).toBe(true);
  });
});
