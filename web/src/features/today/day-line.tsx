import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { linkToMoment, momentOf } from '../../components/visits/describe-visit';
import { useSpeciesName } from '../../i18n/species-names';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import classes from './day-line.module.css';
import type { DaySummary, Visit } from './summarize-day';

interface DayLineProps {
  readonly summary: DaySummary;
  /** The visit that began last. */
  readonly last: Visit | undefined;
}

/** The day in a sentence, and who was here last. */
export function DayLine({ summary, last }: DayLineProps) {
  const { t } = useTranslation('today');
  return (
    <div className={classes['line']}>
      <Text>
        {t('species_count', { count: summary.species.length })}, {t('visit_count', { count: summary.visits })}
      </Text>
      {last && <LastVisitor visit={last} />}
    </div>
  );
}

function LastVisitor({ visit }: { readonly visit: Visit }) {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const nameOf = useSpeciesName();
  const now = useNow();
  const name = nameOf(visit.species.name);
  return (
    <Text>
      {t('last_visitor')}{' '}
      <Anchor inherit renderRoot={(props) => <Link {...linkToMoment(momentOf(visit))} {...props} />}>
        {name}
      </Anchor>
      , {ago(visit.end_time, now)}
    </Text>
  );
}
