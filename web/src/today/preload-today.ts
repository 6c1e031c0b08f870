import { queryClient } from '../api/query-client';
import { dayOf } from '../hub-time/days';
import { lastKnownZone, overviewQuery } from '../hub-time/zone';
import { preloadTexts } from '../i18n/start-i18n';
import { dayVisitsQuery, statusQuery, sunTimesQuery } from './today-queries';

/** Asks for what the page shows first while its script is still on the way. */
export function preloadToday(): void {
  preloadTexts('today');
  const day = dayOf(new Date(), lastKnownZone());
  void queryClient.prefetchQuery(dayVisitsQuery(day));
  void queryClient.prefetchQuery(overviewQuery());
  void queryClient.prefetchQuery(statusQuery);
  void queryClient.prefetchQuery(sunTimesQuery(day));
}
