import { Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { useTimeFormat } from '../../lib/format';
import classes from './delivery-row.module.css';

type Delivery = components['schemas']['PushDelivery'];

const colors = { pending: 'gray', sending: 'blue', sent: 'moss', failed: 'red', gone: 'gray' } as const;

/** A message on its way to somebody: what it said, by what, when, and what became of it. */
export function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useTranslation('system');
  const { moment, number } = useTimeFormat();
  const { title, channel, state, attempts, error, created_at: at, next_attempt_at: next } = delivery;
  const facts = [
    t(`channel.${channel}`),
    moment(at),
    ...(attempts > 1 ? [t('attempts', { count: attempts, number: number(attempts) })] : []),
    ...(next !== null && attempts > 0 ? [t('next_attempt', { time: moment(next) })] : []),
  ];
  return (
    <li className={classes['row']}>
      <Text fw={600}>{title}</Text>
      <Badge color={colors[state]} variant="light" tt="none">
        {t(`delivery.${state}`)}
      </Badge>
      <Text size="sm" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {error !== null && (
        <Text size="sm" c="var(--mantine-color-error)" className={classes['error']}>
          {error}
        </Text>
      )}
    </li>
  );
}
