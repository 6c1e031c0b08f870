import { queryClient } from '../../api/query-client';
import { preloadTexts } from '../../i18n/start-i18n';
import { dayOf } from '../../lib/days';
import { lastKnownFacts, statusQuery } from '../../lib/hub-facts';
import { overviewQuery } from './overview-query';
import { dayVisitsQuery, sunTimesQuery } from './today-queries';

/** Asks for what the page shows first while its script is still on the way. */
export function preloadToday(): void {
  preloadTexts('today');
  const day = dayOf(new Date(), lastKnownFacts().zone);
  void queryClient.prefetchQuery(dayVisitsQuery(day));
  void queryClient.prefetchQuery(overviewQuery());
  void queryClient.prefetchQuery(statusQuery);
  void queryClient.prefetchQuery(sunTimesQuery(day));
}
