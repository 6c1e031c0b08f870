import { Text, Title, UnstyledButton } from '@mantine/core';
import { shallowEqual } from '@mantine/hooks';
import { IconChevronDown, IconVideoOff } from '@tabler/icons-react';
import { type CSSProperties, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { ShareButton } from '../../components/share/share-button';
import type { TimelineItem } from '../../components/visits/describe-visit';
import { isNamed } from '../../components/visits/summarize-day';
import { VisitCard } from '../../components/visits/visit-card';
import { useToday } from '../../lib/clock';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import type { LoadedDay } from './chunks';
import type { PlacedRow } from './timeline-layout';
import classes from './timeline-list.module.css';

interface TimelineRowProps {
  readonly row: PlacedRow;
  readonly columns: number;
  /** Height of a card in px. */
  readonly height: number;
  readonly content: LoadedDay | undefined;
  readonly favorites: ReadonlySet<number>;
  /** Whether the list has no other day. */
  readonly isOnly: boolean;
  readonly onToggle: (day: Day) => void;
}

/** A row of the list: the heading of a day, cards, or the line above collapsed recordings. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { row, columns, content, isOnly, onToggle } = props;
  const style = { transform: `translateY(${row.top}px)`, '--columns': columns } as CSSProperties;
  if (row.kind === 'heading') {
    return <DayHeading row={row} style={style} isOnly={isOnly} isShareable={hasNamedVisit(content)} />;
  }
  if (row.kind === 'fold') return <EmptyFold row={row} style={style} onToggle={onToggle} />;
  return <CardRow {...props} row={row} style={style} />;
}, looksSame);

/**
 * Whether a row looks the same: each layout has new objects for its rows, and the content of a day changes when other
 * items of it are loaded.
 */
function looksSame(before: TimelineRowProps, after: TimelineRowProps): boolean {
  return (
    shallowEqual(before.row, after.row) &&
    before.columns === after.columns &&
    before.height === after.height &&
    before.favorites === after.favorites &&
    before.isOnly === after.isOnly &&
    (before.row.kind !== 'heading' || hasNamedVisit(before.content) === hasNamedVisit(after.content)) &&
    shallowEqual(itemsOf(before), itemsOf(after))
  );
}

/** Whether a visit of a known bird is loaded; the hub shares only days with one. */
const hasNamedVisit = (content: LoadedDay | undefined) => content?.visits.some(isNamed) === true;

/** Returns the items of a row of cards, as far as they are loaded. */
function itemsOf({ row, content }: Pick<TimelineRowProps, 'row' | 'content'>): readonly TimelineItem[] {
  if (row.kind !== 'cards' && row.kind !== 'empties') return [];
  const items = row.kind === 'cards' ? content?.visits : content?.empties;
  return items?.slice(row.at, row.at + row.count) ?? [];
}

interface CardRowProps extends Pick<TimelineRowProps, 'height' | 'content' | 'favorites'> {
  readonly row: Extract<PlacedRow, { kind: 'cards' | 'empties' }>;
  readonly style: CSSProperties;
}

/** A row of cards; those that are not loaded are grey. */
function CardRow({ row, height, content, favorites, style }: CardRowProps) {
  const items = itemsOf({ row, content });
  return (
    <div className={`${classes['row']} ${classes['cards']}`} style={style}>
      {Array.from({ length: row.count }, (_, column) => {
        const item = items[column];
        const at = row.at + column;
        return (
          <div
            key={item?.id ?? `none ${at}`}
            style={{ height }}
            data-place={row.kind === 'cards' ? `${row.day} ${at}` : undefined}
          >
            {item === undefined ? (
              <div className={classes['ghost']} />
            ) : (
              <VisitCard visit={item} isFavorite={favorites.has(item.id)} />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface DayHeadingProps {
  readonly row: Extract<PlacedRow, { kind: 'heading' }>;
  readonly style: CSSProperties;
  readonly isOnly: boolean;
  readonly isShareable: boolean;
}

function DayHeading({ row, style, isOnly, isShareable }: DayHeadingProps) {
  const { t } = useTranslation('timeline');
  const { dayTitle } = useTimeFormat();
  const isToday = row.day === useToday();
  return (
    <div className={`${classes['row']} ${classes['heading']}`} style={style}>
      <Title order={2} size="h5" className={isOnly ? classes['hidden'] : undefined}>
        {isToday ? t('today') : dayTitle(row.day)}
      </Title>
      <Text size="sm" c="dimmed">
        {t('visits', { count: row.visits })}
      </Text>
      {isShareable && <ShareButton what={{ day: row.day }} title={dayTitle(row.day)} size={28} isQuiet />}
    </div>
  );
}

interface EmptyFoldProps {
  readonly row: Extract<PlacedRow, { kind: 'fold' }>;
  readonly style: CSSProperties;
  readonly onToggle: (day: Day) => void;
}

/** Collapsed recordings of a day without a bird. */
function EmptyFold({ row, style, onToggle }: EmptyFoldProps) {
  const { t } = useTranslation('timeline');
  return (
    <div className={`${classes['row']} ${classes['fold']}`} style={style}>
      <UnstyledButton
        className={classes['foldButton'] ?? ''}
        aria-expanded={row.isOpen}
        onClick={() => onToggle(row.day)}
      >
        <IconVideoOff size={16} stroke={1.6} aria-hidden />
        {t('empties', { count: row.empties })}
        <IconChevronDown size={16} aria-hidden data-open={row.isOpen || undefined} />
      </UnstyledButton>
    </div>
  );
}
