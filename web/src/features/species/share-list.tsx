import { Text } from '@mantine/core';
import { useTimeFormat } from '../../lib/format';
import classes from './charts.module.css';

interface ShareListProps {
  readonly rows: readonly { readonly name: string; readonly count: number }[];
}

/** Names with counts as bars, each against the greatest. */
export function ShareList({ rows }: ShareListProps) {
  const { number } = useTimeFormat();
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className={classes['shares']}>
      {rows.map(({ name, count }) => (
        <li key={name} className={classes['share']}>
          <Text size="sm" truncate>
            {name}
          </Text>
          <span className={classes['length']} aria-hidden="true">
            <span className={classes['fill']} style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <Text size="sm" ta="right" className={classes['figure']}>
            {number(count)}
          </Text>
        </li>
      ))}
    </ul>
  );
}
