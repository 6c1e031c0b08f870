import { type BackendModule, createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages, preferredLanguage } from './languages';

type Texts = Readonly<Record<string, string>>;
const files = import.meta.glob<Texts>('../*/texts/*.json', { import: 'default' });

/** Every feature's texts are a namespace that is loaded with it, in one language. */
const textFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: async (language, namespace) => {
    const load = files[`../${namespace}/texts/${language}.json`];
    if (load === undefined) throw new Error(`no texts ${namespace} in ${language}`);
    return load();
  },
};

/** Fetches the texts of a feature before its script asks for them. */
export function preloadTexts(namespace: string): void {
  void files[`../${namespace}/texts/${preferredLanguage()}.json`]?.();
}

/** The texts of the page, in the preferred language. */
export function startI18n(): i18n {
  const texts = createInstance();
  texts.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  texts
    .use(textFiles)
    .use(initReactI18next)
    .init({
      lng: preferredLanguage(),
      // Every language has every text; another one would only be loaded for nothing.
      fallbackLng: false,
      supportedLngs: Object.keys(languages),
      load: 'languageOnly',
      ns: ['app', 'states', 'session'],
      defaultNS: 'app',
      keySeparator: false,
      // React escapes by itself.
      interpolation: { escapeValue: false },
    });
  return texts;
}
