/** The time formats of a hub: that of the language, 12-hour or 24-hour. */
export const timeFormats = ['auto', '12h', '24h'] as const;

/** One of {@link timeFormats}. */
export type TimeFormat = (typeof timeFormats)[number];

const clocks = {
  auto: { hour: 'numeric', minute: '2-digit' },
  '12h': { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' },
  '24h': { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const;

/** Returns a formatter of times of day, such as `15:03` or `3:03 PM`; `options` may add parts of the date. */
export function clockFormat(
  language: string,
  zone: string,
  timeFormat: TimeFormat,
  options: Intl.DateTimeFormatOptions = {},
): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { timeZone: zone, ...clocks[timeFormat], ...options });
}
