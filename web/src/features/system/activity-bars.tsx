import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import classes from './activity-bars.module.css';
import { type ActivityDay, type Measure, summarizeMonth } from './month-activity';

interface ActivityBarsProps {
  readonly days: readonly ActivityDay[];
  readonly measure: Measure;
}

/** One measure of a month: its sum, and a bar for each day. */
export function ActivityBars({ days, measure }: ActivityBarsProps) {
  const { t } = useTranslation('system');
  const { number, shortDay } = useTimeFormat();
  const { sum, best, bars } = summarizeMonth(days, measure);
  // Recordings that were brought in afterwards came without word of who watched then.
  if (measure === 'totalUptime' && sum === 0 && days.some(({ recordings }) => recordings > 0))
    return (
      <Text size="sm" c="dimmed">
        {t('watching_unknown')}
      </Text>
    );
  const amount = (value: number) => t(`activity.${measure}`, { count: value, number: number(value, 1) });
  const most = best && t('activity_best', { day: shortDay(best.date), amount: amount(best.value) });
  return (
    <div>
      <Text fw={600}>{amount(sum)}</Text>
      <Text size="sm" c="dimmed" mih="1.6em" mb={6}>
        {most}
      </Text>
      <div className={classes['bars']} role="img" aria-label={[amount(sum), most].filter(Boolean).join('. ')}>
        {bars.map(({ date, value, share }) => (
          <div
            key={date}
            className={classes['bar']}
            style={{ height: `${100 * share}%` }}
            title={`${shortDay(date)}: ${amount(value)}`}
          />
        ))}
      </div>
      <div className={classes['axis']} aria-hidden>
        <span>{shortDay(days.at(0)?.date ?? '')}</span>
        <span>{shortDay(days.at(-1)?.date ?? '')}</span>
      </div>
    </div>
  );
}
