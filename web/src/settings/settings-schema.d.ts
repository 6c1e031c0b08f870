declare module 'virtual:settings-schema' {
  /** What the contract says of all settings. */
  export const settingsSchema: import('./setting-field').SettingsSchema;
}
