declare module 'virtual:settings-schema' {
  /** The contract's schema of all settings. */
  export const settingsSchema: import('../features/settings/setting-field').SettingsSchema;
}

declare module 'virtual:admin-operations' {
  /** Operations that only the administrator may call, such as `PATCH /api/ui/species/{id}`. */
  export const adminOperations: readonly string[];
}

declare module 'virtual:rule-defaults' {
  /** The contract's defaults of an alert rule. */
  export const ruleDefaults: Omit<import('../features/notifications/rule').RuleDraft, 'name' | 'when'>;
}

declare module 'virtual:language-texts' {
  type Texts = Readonly<Record<string, string>>;
  /** Texts of a language by namespace: those that are shown first, and loaders of the others. */
  interface LanguageTexts {
    readonly first: Readonly<Record<string, Texts>>;
    readonly later: Readonly<Record<string, () => Promise<Texts>>>;
  }
  /** Loaders by language. */
  export const languageTexts: Readonly<Record<string, () => Promise<LanguageTexts>>>;
}

declare module 'virtual:cities' {
  /** In the format that `readCities` parses. */
  export const cities: string;
}

declare module 'exifr/dist/lite.esm.mjs' {
  export { parse } from 'exifr';
}

/** The build of hls.js without subtitles, interstitials and DRM; it has no types of its own. */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
