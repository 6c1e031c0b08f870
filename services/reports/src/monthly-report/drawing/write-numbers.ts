const grouped = new Intl.NumberFormat('en-GB');
const oneDecimal = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const minus = '\u2212';

/** `12,345` */
export function writeCount(number: number): string {
  return grouped.format(number);
}

/** `1 visit`, `12,345 visits` */
export function writeCounted(number: number, one: string, many = `${one}s`): string {
  return `${writeCount(number)} ${number === 1 ? one : many}`;
}

/** `12.3 %`; what is there but less than a tenth is `< 0.1 %`. */
export function writeShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  return percent > 0 && percent < 0.05 ? '< 0.1 %' : `${oneDecimal.format(percent)} %`;
}

/** `43 s`, `12 min`, `3 h 20 min` */
export function writeDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${writeCount(Math.floor(minutes / 60))} h${rest ? ` ${rest} min` : ''}`;
}

/** `−1.5 °C` */
export function writeTemperature(degrees: number): string {
  const rounded = Math.round(degrees * 10) / 10;
  return `${oneDecimal.format(rounded + 0).replace('-', minus)} °C`;
}

/** `−5`, with a sign as wide as a figure. */
export function writeTick(number: number): string {
  return writeCount(number).replace('-', minus);
}
