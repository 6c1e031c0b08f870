/** Languages of texts that the hub generates: notifications, shared pages, cards and reports (BCP 47). */
export const hubLanguages = ['en', 'de', 'ru', 'fr', 'es', 'it', 'nl', 'pl'] as const;

/** One of {@link hubLanguages}. */
export type HubLanguage = (typeof hubLanguages)[number];

/** Returns the locale of dates and numbers in a language (BCP 47): British for English, as in all others days precede months. */
export const localeOf = (language: HubLanguage): string => (language === 'en' ? 'en-GB' : language);

/** Returns the locale of dates for a reader: the regional variant of the language in an `Accept-Language` header, if any. */
export function readerLocale(accepted: string | undefined, language: HubLanguage): string {
  const regional = new RegExp(`(?<![\\w-])${language}-[a-z]{2}(?![\\w-])`, 'i').exec(accepted ?? '');
  return regional?.[0] ?? localeOf(language);
}

const isLanguage = (text: string): text is HubLanguage => (hubLanguages as readonly string[]).includes(text);

/** Returns the preferred supported language of an `Accept-Language` header, else the fallback, else English. */
export function negotiateLanguage(accepted: string | undefined, fallback: string): HubLanguage {
  const wanted = (accepted ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters
        .map((one) => /^\s*q=([\d.]+)/.exec(one)?.[1])
        .find((found) => found !== undefined);
      return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const found = wanted.map(({ language }) => language).find(isLanguage);
  return found ?? (isLanguage(fallback) ? fallback : 'en');
}
