import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { arrivalsSince } from './split-news';
import type { Visit } from './summarize-day';

/** What a screen reader says of visits that come while the page is open. */
export function useArrivals(visits: readonly Visit[]): string {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  const nameOf = useSpeciesName();
  const known = useRef(visits);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const arrivals = arrivalsSince(known.current, visits);
    known.current = visits;
    if (arrivals.length === 0) return;
    const words = arrivals.map(({ species, start_time }) => `${nameOf(species.name)}, ${clock(start_time)}`);
    setAnnouncement(t('arrived', { visits: words.join('; ') }));
  }, [visits, t, clock, nameOf]);
  return announcement;
}
