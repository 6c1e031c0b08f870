import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { Empty } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import classes from './report-figures.module.css';
import type { PeriodFigures } from './use-period-figures';

const mostShown = 5;

interface ReportFiguresProps {
  /** Undefined until the hub has told them. */
  readonly figures: PeriodFigures | undefined;
  readonly error: Error | null;
  /** Whether they were asked for. */
  readonly isAsked: boolean;
  /** The period in words. */
  readonly name: string;
}

/** What the report will tell, before it is downloaded. */
export function ReportFigures({ figures, error, isAsked, name }: ReportFiguresProps) {
  const { t } = useTranslation('reports');
  return (
    <div className={classes['figures']} aria-live="polite">
      {figures ? (
        <Figures figures={figures} name={name} />
      ) : error ? (
        <Text role="alert">{problemText(t, error)}</Text>
      ) : (
        isAsked && <Skeleton height="100%" mih={280} />
      )}
    </div>
  );
}

function Figures({ figures, name }: { readonly figures: PeriodFigures; readonly name: string }) {
  const { t } = useTranslation('reports');
  const { number, shortDay } = useTimeFormat();
  const { visits, species, daysWithVisits, best } = figures;
  if (visits === 0) return <Empty title={t('empty_period', { name })}>{t('empty_period_hint')}</Empty>;
  return (
    <Stack gap="sm">
      <Group gap="xl">
        {[
          [number(visits), t('visits', { count: visits })],
          [number(species.length), t('species', { count: species.length })],
          [number(daysWithVisits), t('days', { count: daysWithVisits })],
        ].map(([value, label]) => (
          <div key={label}>
            <Text size="xl" fw={650} className={classes['number']}>
              {value}
            </Text>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
          </div>
        ))}
      </Group>
      <ol className={classes['species']}>
        {species.slice(0, mostShown).map((one) => (
          <TopSpecies key={one.id} species={one} most={species[0]?.total ?? 1} />
        ))}
      </ol>
      <Text size="sm" c="dimmed">
        {species.length > mostShown && `${t('more_species', { count: species.length - mostShown })} `}
        {best && t('best_day', { day: shortDay(best.date), count: best.visits })}
      </Text>
    </Stack>
  );
}

interface TopSpeciesProps {
  readonly species: PeriodFigures['species'][number];
  readonly most: number;
}

function TopSpecies({ species: { id, name, image_url, total }, most }: TopSpeciesProps) {
  const { number } = useTimeFormat();
  const nameOf = useSpeciesName();
  return (
    <li className={classes['row']}>
      <SpeciesPicture url={image_url} alt="" ratio={1} />
      <Link to="/species/$id" params={{ id: String(id) }} className={classes['name']}>
        {nameOf(name)}
      </Link>
      <span className={classes['number']}>{number(total)}</span>
      <span className={classes['bar']} style={{ inlineSize: `${(total / most) * 100}%` }} />
    </li>
  );
}
