import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useMonthNames } from '../../lib/format';
import classes from './charts.module.css';

/** Visits by month of the year, January first. */
export function MonthBars({ counts }: { readonly counts: readonly number[] }) {
  const { t } = useTranslation('species');
  const { narrow, long } = useMonthNames();
  const most = Math.max(1, ...counts);
  return (
    <ol className={classes['months']}>
      {counts.map((count, month) => (
        <li
          key={long[month]}
          className={classes['month']}
          title={t('month_count', { month: long[month], count })}
        >
          <span className={classes['column']} aria-hidden="true">
            <span className={classes['bar']} style={{ height: `${(count / most) * 100}%` }} />
          </span>
          <span aria-hidden="true">{narrow[month]}</span>
          <VisuallyHidden>{t('month_count', { month: long[month], count })}</VisuallyHidden>
        </li>
      ))}
    </ol>
  );
}
