declare module 'virtual:settings-schema' {
  /** What the contract says of all settings. */
  export const settingsSchema: import('../settings/setting-field').SettingsSchema;
}

declare module 'virtual:admin-operations' {
  /** The operations that only the administrator may call, such as `PATCH /api/ui/species/{id}`. */
  export const adminOperations: readonly string[];
}
