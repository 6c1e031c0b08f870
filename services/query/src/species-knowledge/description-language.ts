/** Languages of descriptions of species (BCP 47): those of the UI, English first. */
export const descriptionLanguages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'ru'] as const;

/** One of {@link descriptionLanguages}. */
export type DescriptionLanguage = (typeof descriptionLanguages)[number];

/** Returns the supported language of a tag such as `de-AT`; undefined for others. */
function knownLanguage(tag: string): DescriptionLanguage | undefined {
  const base = tag.trim().split('-')[0]?.toLowerCase();
  return descriptionLanguages.find((language) => language === base);
}

/** Returns the quality of an entry of `Accept-Language` (RFC 9110); 1 when it is missing or invalid. */
function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((one) => /^\s*q\s*=/i.test(one))?.split('=')[1];
  const quality = weight === undefined ? 1 : Number(weight.trim());
  return quality >= 0 && quality <= 1 ? quality : 1;
}

/**
 * Returns the language of texts: that of the parameter, else the best match of `Accept-Language` (RFC 9110), else
 * English.
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
 * Returns the address of the encyclopedia in another language by replacing `en.` at the start of the host, or a segment
 * `en` of the path. Undefined when there is neither.
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
