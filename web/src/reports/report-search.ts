import { monthOfAddress } from '../hub-time/days';

/** What the address of the reports says. */
export interface ReportSearch {
  /** The month `YYYY-MM` that the report opens with. */
  readonly month?: string;
}

/** Takes from an address the month that it may say; anything else is left out. */
export function reportSearch(raw: Record<string, unknown>): ReportSearch {
  const month = monthOfAddress(raw['month']);
  return month === undefined ? {} : { month };
}
