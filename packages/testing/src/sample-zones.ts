/** Zones whose clocks differ in every way that matters: by halves and quarters, at midnight, over the date line. */
export const sampleZones = [
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/St_Johns',
  'UTC',
  'Pacific/Kiritimati',
  'Asia/Tehran',
] as const;
