import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Empty } from '../../components/states';
import { useNow } from '../../lib/clock';
import { addDays } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { statusQuery } from '../../lib/hub-facts';
import { overviewQuery } from './overview-query';
import classes from './quiet-day.module.css';
import { SystemLink } from './system-link';
import { sunTimesQuery } from './today-queries';

/** Nobody came yet: before dawn that is no wonder, and a hub without a processor cannot know. */
export function QuietDay({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { clock } = useTimeFormat();
  const now = useNow();
  const { data: status } = useQuery(statusQuery);
  const { data: sun } = useQuery(sunTimesQuery(day));
  if (status?.processor === 'unknown') {
    return (
      <div className={classes['quiet']}>
        <Empty title={t('no_processor')} action={<SystemLink />}>
          {t('no_processor_hint')}
        </Empty>
      </div>
    );
  }
  const dawn = sun?.dawn ?? sun?.sunrise;
  const isNight = typeof dawn === 'string' && now < new Date(dawn);
  return (
    <div className={classes['quiet']}>
      <Empty title={t(isNight ? 'before_dawn' : 'nobody_yet')} action={<Yesterday day={addDays(day, -1)} />}>
        {isNight ? t('before_dawn_hint', { dawn: clock(dawn) }) : t('nobody_yet_hint')}
      </Empty>
    </div>
  );
}

function Yesterday({ day }: { readonly day: string }) {
  const { t } = useTranslation('today');
  const { data: overview } = useQuery(overviewQuery(day));
  const count = overview?.stats.uniqueSpecies ?? 0;
  if (count === 0) return null;
  return (
    <Anchor renderRoot={(props) => <Link to="/timeline" search={{ date: day }} {...props} />}>
      {t('yesterday', { count })}
    </Anchor>
  );
}
