import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { createInstance } from 'i18next';
import type { PropsWithChildren } from 'react';
import { I18nextProvider, initReactI18next } from 'react-i18next';
import { describe, expect, test } from 'vitest';
import { statusQuery } from '../lib/hub-facts';
import { useRefusals, useSentences } from './sentences';

/** Texts that arrive when `load` is called. */
async function renderTexts<T>(use: () => T) {
  let load = () => {};
  const arrived = new Promise<void>((resolve) => {
    load = resolve;
  });
  const texts: Readonly<Record<string, object>> = {
    api: {
      'sentence.status': 'Status {{status}}.',
      'sentence.paused': 'Pausiert.',
      'refused.too_large': 'Höchstens {{limit}}',
    },
    sources: {
      'sentence.status': '{{program}}: {{status}}.',
      'sentence.newest_bird': '{{bird}}, {{at}}',
      'sentence.low_confidence': '{{confidence}} % unter {{min}} %',
    },
  };
  const i18n = createInstance();
  const read = async (_language: string, name: string) => {
    await arrived;
    return texts[name] ?? {};
  };
  await i18n
    .use({ type: 'backend', init: () => undefined, read })
    .use(initReactI18next)
    .init({
      lng: 'de',
      fallbackLng: false,
      keySeparator: false,
      ns: ['app'],
      defaultNS: 'app',
      resources: { de: { app: { hub: 'Hub' } } },
      partialBundledLanguages: true,
    });
  const client = new QueryClient();
  client.setQueryData(statusQuery.queryKey, { timezone: 'UTC', units: 'metric' } as never);
  client.setQueryData(['species-names', 'de'], { 'Great Tit': 'Kohlmeise' });
  const wrapper = ({ children }: PropsWithChildren) => (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </I18nextProvider>
  );
  const { result } = renderHook(use, { wrapper });
  return { say: () => result.current, load: () => act(async () => load()) };
}

const status = { code: 'status', values: { status: 503, program: 'Frigate' } };
const paused = { code: 'paused', values: {} };

describe('sentences of the hub', () => {
  test('before their texts are loaded, are empty, and then in the language of the page', async () => {
    const { say, load } = await renderTexts(() => useSentences());
    expect(say()([status], 'answered 503')).toBe('');
    await load();
    expect(say()([status, paused], 'answered 503')).toBe('Status 503. Pausiert.');
  });

  test.each([undefined, [], [status, { code: 'of_a_later_hub', values: {} }]])(
    'without a text for each, %j, are in English',
    async (sentences) => {
      const { say, load } = await renderTexts(() => useSentences());
      await load();
      expect(say()(sentences, 'answered 503')).toBe('answered 503');
    },
  );

  test('of a page, precede those of all pages, with names of birds, times and numbers in its language', async () => {
    const { say, load } = await renderTexts(() => useSentences('sources'));
    await load();
    const bird = { code: 'newest_bird', values: { bird: 'Great Tit', at: '2026-05-01T10:00:00Z' } };
    expect(say()([status], '')).toBe('Frigate: 503.');
    expect(say()([paused], '')).toBe('Pausiert.');
    expect(say()([bird], '')).toMatch(/^Kohlmeise, .*10:00/);
    const doubtful = { code: 'low_confidence', values: { confidence: 87.3, min: 90 } };
    expect(say()([doubtful], '')).toBe('87,3 % unter 90 %');
  });
});

describe('a refusal of the hub', () => {
  const tooLarge = { message: 'must be <= 1', code: 'too_large', values: { limit: 1 } };

  test('before its texts are loaded, is empty, and then in the language of the page', async () => {
    const { say, load } = await renderTexts(() => useRefusals());
    expect(say()(tooLarge)).toBe('');
    await load();
    expect(say()(tooLarge)).toBe('Höchstens 1');
  });

  test.each([{}, { code: 'of_a_later_hub' }])('without a text, with %j, is in English', async (coded) => {
    const { say, load } = await renderTexts(() => useRefusals());
    await load();
    expect(say()({ message: 'must be <= 1', ...coded })).toBe('must be <= 1');
  });
});
