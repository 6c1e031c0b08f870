import { VisuallyHidden } from '@mantine/core';
import { useMonthNames } from '../../lib/format';
import classes from './calendar.module.css';

/** A month above its column: a letter where there is little room, its whole name for those who listen. */
export function MonthName({ month }: { readonly month: number }) {
  const { narrow, short, long } = useMonthNames();
  return (
    <>
      <span aria-hidden className={classes['narrow']}>
        {narrow[month]}
      </span>
      <span aria-hidden className={classes['short']}>
        {short[month]?.replace('.', '')}
      </span>
      <VisuallyHidden>{long[month]}</VisuallyHidden>
    </>
  );
}
