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

/** The player without captions, ads and protected films; it comes without types of its own. */
declare module 'hls.js/light' {
  export { default } from 'hls.js';
}
