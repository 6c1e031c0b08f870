import { Popover } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip, ChipRow } from '../../components/chips';
import { lazyComponent } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import { PageLoading } from '../../components/states';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useIsPhone } from '../../lib/use-media';
import { type MovingRange, movingRanges, type TimeRange } from './time-range';

const loadPicker = () => import('./range-picker').then((file) => file.RangePicker);
const RangePicker = lazyComponent(loadPicker);

interface RangeChipsProps {
  readonly range: TimeRange;
  readonly today: Day;
  readonly onMoving: (range: MovingRange | undefined) => void;
  /** Called with the chosen first and last day. */
  readonly onDays: (from: Day, to: Day) => void;
}

/** The range of the timeline: everything, recent days, or any dates. */
export function RangeChips({ range, today, onMoving, onDays }: RangeChipsProps) {
  const { t } = useTranslation('timeline');
  const { dayRange } = useTimeFormat();
  const [isOpen, setIsOpen] = useState(false);
  const isPhone = useIsPhone();
  const isCustom = range.kind === 'custom' || range.kind === 'day';
  const choose = (from: Day, to: Day) => {
    setIsOpen(false);
    onDays(from, to);
  };
  return (
    <ChipRow label={t('range')}>
      <Chip isOn={range.kind === 'all'} onClick={() => onMoving(undefined)}>
        {t('range_all')}
      </Chip>
      {movingRanges.map((name) => (
        <Chip key={name} isOn={range.kind === name} onClick={() => onMoving(name)}>
          {t(`range_${name}`)}
        </Chip>
      ))}
      <Popover
        opened={isOpen}
        onChange={setIsOpen}
        position="bottom-start"
        shadow="md"
        width={isPhone ? undefined : 'auto'}
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          <Chip
            isOn={isCustom}
            icon={<IconCalendar size={16} stroke={1.6} aria-hidden />}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onPointerEnter={() => void loadPicker()}
            onClick={() => setIsOpen((before) => !before)}
          >
            {isCustom ? dayRange(range.from ?? range.to, range.to) : t('range_custom')}
          </Chip>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('range_custom')}>
          {isOpen && (
            <PartBoundary onMissing={() => setIsOpen(false)} fallback={<PageLoading />}>
              <RangePicker
                from={range.from}
                to={range.kind === 'all' ? undefined : range.to}
                today={today}
                onChoose={choose}
              />
            </PartBoundary>
          )}
        </Popover.Dropdown>
      </Popover>
    </ChipRow>
  );
}
