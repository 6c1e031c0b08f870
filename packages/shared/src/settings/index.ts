export { defaultSettings, type Settings, SettingsSchema, withDefaults } from './settings.js';
export { createSettingsReader, type SettingsReader } from './settings-reader.js';
