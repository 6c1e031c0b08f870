import { Text, Title } from '@mantine/core';
import { type CSSProperties, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { VisitCard } from '../../components/visits/visit-card';
import { useTimeFormat } from '../../lib/format';
import type { HeadingRow, Row } from './lay-out-rows';
import classes from './visit-rows.module.css';

interface VisitRowProps {
  readonly row: Row;
  readonly columns: number;
  readonly favorites: ReadonlySet<number> | undefined;
}

function HourHeading({ row: { from, to, visits } }: { readonly row: HeadingRow }) {
  const { t } = useTranslation('timeline');
  const { hour } = useTimeFormat();
  return (
    <div className={classes['hour']}>
      <Title order={2} size="h5">
        {from === 'before' || to === 'before' ? t('before') : `${hour(from)} – ${hour(to + 1)}`}
      </Title>
      <Text size="sm" c="dimmed">
        {t('visits', { count: visits })}
      </Text>
    </div>
  );
}

/** A line of the list; drawn again only when it has changed, as scrolling asks often. */
export const VisitRow = memo(function VisitRow({ row, columns, favorites }: VisitRowProps) {
  if (row.kind === 'heading') return <HourHeading row={row} />;
  const style = { '--columns': columns } as CSSProperties;
  return (
    <div className={classes['cards']} style={style}>
      {row.items.map((item) => (
        <VisitCard key={item.id} visit={item} isFavorite={favorites?.has(item.id) ?? false} />
      ))}
    </div>
  );
});
