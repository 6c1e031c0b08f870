import { useMemo } from 'react';
import { useTimeFormat } from '../hub-time/time-format';
import { useHubFacts } from './hub-facts';
import { createMeasures, type Measures } from './measures';

/** How the page writes what was measured, in the units of the hub. */
export function useMeasures(): Measures {
  const { language } = useTimeFormat();
  const { units } = useHubFacts();
  return useMemo(() => createMeasures(language, units), [language, units]);
}
