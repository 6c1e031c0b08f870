/** A position in a recording as players write it, such as `1:05` or `1:05.4` with a tenth. */
export function positionText(seconds: number, hasTenths = false): string {
  const tenths = Math.max(0, hasTenths ? Math.floor(seconds * 10 + 1e-6) : Math.floor(seconds) * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  const text = String(Math.floor(rest / 10)).padStart(2, '0');
  return `${minutes}:${text}${hasTenths ? `.${rest % 10}` : ''}`;
}
