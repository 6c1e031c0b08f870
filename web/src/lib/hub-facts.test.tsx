import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { stubHub } from '../testing/render-part';
import { lastKnownFacts, statusQuery } from './hub-facts';
import { store } from './storage';

const storageKey = 'birdhub.facts';

afterEach(() => {
  vi.unstubAllGlobals();
  store(storageKey, '{}');
  localStorage.clear();
});

describe('the facts of the hub', () => {
  test('in a browser that blocks storage, are those of the response', async () => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: denied, setItem: denied });
    stubHub({ 'GET /api/ui/status': () => ({ body: { app_name: 'Garden' } }) });
    expect(lastKnownFacts().name).toBe('Birdhub');
    expect(await new QueryClient().fetchQuery(statusQuery)).toMatchObject({ app_name: 'Garden' });
    expect(lastKnownFacts().name).toBe('Garden');
  });

  test('that are damaged in this browser, are the defaults', () => {
    localStorage.setItem(storageKey, '{"name":');
    expect(lastKnownFacts().name).toBe('Birdhub');
  });
});
