import { Problem } from '../../api/problem';
import type { SettingPath } from './setting-groups';

/** What the hub has against single keys, by their paths; deeper places count for their key. */
export function fieldProblems(error: Error | null): Partial<Record<SettingPath, string>> {
  if (!(error instanceof Problem)) return {};
  const found = error.details.map(({ path, message }) => [path.split('/').slice(1, 3).join('.'), message]);
  return Object.fromEntries(found);
}
