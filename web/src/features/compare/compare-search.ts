import { type Day, dayFromUrl } from '../../lib/days';
import { isPeriod, type PeriodPair, type Preset, pairOf, presets } from './periods';

/** Search parameters of the comparison; without days, the periods of the preset. */
export interface CompareSearch {
  readonly preset?: Preset;
  readonly from?: Day;
  readonly to?: Day;
  readonly other_from?: Day;
  readonly other_to?: Day;
}

/** Validates search parameters; days that do not form two valid periods are dropped. */
export function compareSearch(raw: Record<string, unknown>): CompareSearch {
  const [from, to, otherFrom, otherTo] = ['from', 'to', 'other_from', 'other_to'].map((name) =>
    dayFromUrl(raw[name]),
  );
  if (
    from &&
    to &&
    otherFrom &&
    otherTo &&
    isPeriod({ from, to }) &&
    isPeriod({ from: otherFrom, to: otherTo })
  )
    return { from, to, other_from: otherFrom, other_to: otherTo };
  const preset = presets.find((name) => name === raw['preset']);
  return preset === undefined ? {} : { preset };
}

/** Returns the periods for search parameters. */
export function pairOfSearch(
  { preset = 'week', from, to, other_from, other_to }: CompareSearch,
  today: Day,
): PeriodPair {
  if (from && to && other_from && other_to)
    return { period: { from, to }, other: { from: other_from, to: other_to } };
  return pairOf(preset, today);
}
