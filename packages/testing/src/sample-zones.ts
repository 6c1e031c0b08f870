/** Zones that cover special cases: half-hour and quarter-hour offsets, DST changes at midnight, the date line. */
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
