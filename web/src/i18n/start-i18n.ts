import { type BackendModule, createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages, preferredLanguage } from './languages';

type Texts = Readonly<Record<string, string>>;
const files = import.meta.glob<Texts>('../**/texts/*.json', { import: 'default' });

/** Loaders of texts by `namespace/language`; a namespace is the folder that its `texts` folder lies in. */
const loaders = Object.fromEntries(
  Object.entries(files).map(([path, load]) => [
    path.replace(/.*\/([\w-]+)\/texts\/(\w+)\.json$/, '$1/$2'),
    load,
  ]),
);

/** Loads the texts of a namespace in one language when a component first uses it. */
const textFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: async (language, namespace) => {
    const load = loaders[`${namespace}/${language}`];
    if (load === undefined) throw new Error(`no texts ${namespace} in ${language}`);
    return load();
  },
};

/** Starts loading the texts of a feature before its script asks for them. */
export function preloadTexts(namespace: string): void {
  void loaders[`${namespace}/${preferredLanguage()}`]?.();
}

/** Creates the translations in the preferred language. */
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
      // Every language has every text (see the test), so no fallback is needed.
      fallbackLng: false,
      supportedLngs: Object.keys(languages),
      load: 'languageOnly',
      ns: ['app', 'components', 'session'],
      defaultNS: 'app',
      keySeparator: false,
      // React escapes.
      interpolation: { escapeValue: false },
    });
  return texts;
}
