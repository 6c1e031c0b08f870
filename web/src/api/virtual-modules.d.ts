declare module 'virtual:settings-schema' {
  /** The contract's schema of all settings. */
  export const settingsSchema: import('../features/settings/setting-field').SettingsSchema;
}

declare module 'virtual:admin-operations' {
  /** Operations that only the administrator may call, such as `PATCH /api/ui/species/{id}`. */
  export const adminOperations: readonly string[];
}

declare module 'exifr/dist/lite.esm.mjs' {
  export { parse } from 'exifr';
}
