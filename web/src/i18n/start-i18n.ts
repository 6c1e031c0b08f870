import { languageTexts } from 'virtual:language-texts';
import { type BackendModule, createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages, preferredLanguage } from './languages';

/** Loads the texts of a namespace in one language when a component first uses it. */
const textFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: async (language, namespace) => {
    const texts = await languageTexts[language]?.();
    const found = texts?.first[namespace] ?? (await texts?.later[namespace]?.());
    if (found === undefined) throw new Error(`no texts ${namespace} in ${language}`);
    return found;
  },
};

/** Creates the translations in the preferred language; `areLoaded` settles when the first texts are loaded. */
export function startI18n(): { readonly texts: i18n; readonly areLoaded: Promise<unknown> } {
  const texts = createInstance();
  texts.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  const areLoaded = texts
    .use(textFiles)
    .use(initReactI18next)
    .init({
      lng: preferredLanguage(),
      // Every language has every text (see the test), so no fallback is needed.
      fallbackLng: false,
      supportedLngs: Object.keys(languages),
      load: 'languageOnly',
      // Requests the texts immediately instead of in the next timer.
      initAsync: false,
      ns: ['app', 'components', 'today'],
      defaultNS: 'app',
      keySeparator: false,
      // Keeps the console free for errors.
      showSupportNotice: false,
      // React escapes values.
      interpolation: { escapeValue: false },
    });
  return { texts, areLoaded };
}
