import { readStored, store } from '../lib/storage';

/** Languages of the UI (BCP 47), each with its name in that language. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ru: 'Русский',
} as const;

export type Language = keyof typeof languages;

const storageKey = 'birdhub.language';

const isLanguage = (text: string): text is Language => text in languages;

/** Returns the language chosen in this browser, else the first of the browser's languages that is supported. */
export function preferredLanguage(): Language {
  const wanted = [readStored(storageKey) ?? '', ...navigator.languages];
  return wanted.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** Stores the choice in this browser. */
export function saveLanguage(language: Language): void {
  store(storageKey, language);
}

/**
 * Returns the locale for dates and numbers (BCP 47): the browser's regional variant of the language, if any. English
 * without a region is British, as plain `en` would have the dates and clock of the USA.
 */
export function localeOf(language: string, wanted: readonly string[] = navigator.languages): string {
  const regional = wanted.find((tag) => tag.startsWith(`${language}-`));
  return regional ?? (language === 'en' ? 'en-GB' : language);
}
