/** Languages that texts about species are looked for in (BCP 47): those of the web UI, English first. */
export const descriptionLanguages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'ru'] as const;

/** One of {@link descriptionLanguages}. */
export type DescriptionLanguage = (typeof descriptionLanguages)[number];

/** The known language that a tag such as `de-AT` begins with; undefined for any other. */
function knownLanguage(tag: string): DescriptionLanguage | undefined {
  const base = tag.trim().split('-')[0]?.toLowerCase();
  return descriptionLanguages.find((language) => language === base);
}

/** Quality of an entry of `Accept-Language` (RFC 9110); 1 where none or none that can be read is given. */
function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((one) => /^\s*q\s*=/i.test(one))?.split('=')[1];
  const quality = given === undefined ? 1 : Number(given.trim());
  return quality >= 0 && quality <= 1 ? quality : 1;
}

/**
 * The language that a caller wants texts in: that of the parameter, else the best known one of `Accept-Language`
 * (RFC 9110), else English.
 */
export function chooseLanguage(
  wanted: string | undefined,
  accepted: string | undefined,
): DescriptionLanguage {
  if (wanted !== undefined) return knownLanguage(wanted) ?? 'en';
  const entries = (accepted ?? '').split(',', 50).map((entry) => {
    const [tag = '', ...parameters] = entry.split(';');
    return { language: knownLanguage(tag), quality: qualityOf(parameters) };
  });
  const [best] = entries
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return best?.language ?? 'en';
}

/**
 * The address of the encyclopedia of another language, from that of the English one: `en.` at the head of its host, or
 * a part `en` of its path, is the language. Undefined where it has neither, as there is only one then.
 */
export function translateAddress(english: string, language: DescriptionLanguage): string | undefined {
  if (language === 'en') return english;
  const url = new URL(english);
  if (url.hostname.startsWith('en.')) {
    url.hostname = `${language}.${url.hostname.slice('en.'.length)}`;
    return url.href;
  }
  const parts = url.pathname.split('/');
  if (!parts.includes('en')) return undefined;
  url.pathname = parts.map((part) => (part === 'en' ? language : part)).join('/');
  return url.href;
}
