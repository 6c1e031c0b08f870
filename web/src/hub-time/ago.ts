/** How long before `now` something was, in the words of a language (BCP 47); what is ahead is now. */
export function describeAgo(language: string, instant: Date, now: Date): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const seconds = Math.min(0, (instant.getTime() - now.getTime()) / 1000);
  if (seconds > -60) return words.format(0, 'second');
  if (seconds > -3600) return words.format(Math.round(seconds / 60), 'minute');
  if (seconds > -86_400) return words.format(Math.round(seconds / 3600), 'hour');
  return words.format(Math.round(seconds / 86_400), 'day');
}
