/** The languages that every text is there in (BCP 47), with their own names. */
export const languages = { en: 'English', de: 'Deutsch', ru: 'Русский' } as const;

export type Language = keyof typeof languages;

const storageKey = 'birdhub.language';

const isLanguage = (text: string): text is Language => text in languages;

/** The language that was chosen here before, else the first of the browser's that the hub knows. */
export function preferredLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey) ?? '', ...navigator.languages];
  return wanted.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en';
}

/** Remembers a choice for this browser. */
export function keepLanguage(language: Language): void {
  localStorage.setItem(storageKey, language);
}

/** How to write dates and numbers in a language: as in the browser's region where it speaks the language (BCP 47). */
export function localeOf(language: string, wanted: readonly string[] = navigator.languages): string {
  return wanted.find((tag) => tag.split('-')[0] === language) ?? language;
}
