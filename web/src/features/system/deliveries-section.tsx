import { Badge, Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { useSentences } from '../../api/sentences';
import { Failure, Loading } from '../../components/states';
import { useTimeFormat } from '../../lib/format';
import classes from './deliveries-section.module.css';
import { Section } from './section';

const pageLength = 20;

/** Deliveries of notifications. Loaded on demand, as the password may be required. */
export function DeliveriesSection() {
  const { t } = useTranslation('system');
  const [isRequested, setIsRequested] = useState(false);
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['deliveries'],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? { limit: pageLength } : { limit: pageLength, cursor: pageParam };
      return unwrap(hub.GET('/api/ui/push/deliveries', { params: { query }, signal }));
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    enabled: isRequested,
    retry: false,
  });
  const deliveries = data?.pages.flatMap((page) => page.deliveries);
  const load = () => (isRequested ? void refetch() : setIsRequested(true));
  return (
    <Section
      title={t('deliveries')}
      actions={
        <Button variant="light" loading={isFetching} onClick={load}>
          {t(data ? 'refresh' : 'show')}
        </Button>
      }
    >
      {error && !isFetching && <Failure error={error} onRetry={() => void refetch()} />}
      {isFetching && data === undefined && <Loading rows={3} height={48} />}
      {deliveries?.length === 0 && <Text c="dimmed">{t('no_deliveries')}</Text>}
      {deliveries && deliveries.length > 0 && (
        <Stack component="ul" gap={0} m={0} p={0} aria-label={t('deliveries')}>
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </Stack>
      )}
      {hasNextPage && (
        <Button variant="subtle" loading={isFetching} onClick={() => void fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </Section>
  );
}

type Delivery = components['schemas']['PushDelivery'];

const colors = { pending: 'gray', sending: 'blue', sent: 'moss', failed: 'red', gone: 'gray' } as const;

/** A notification: title, channel, time, state. */
function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { t } = useTranslation('system');
  const { moment, number } = useTimeFormat();
  const { title, channel, channel_name: name, state, attempts, error, sentences } = delivery;
  const translate = useSentences();
  const { created_at: at, next_attempt_at: next } = delivery;
  const facts = [
    name ?? t(`channel.${channel}`),
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
          {translate(sentences, error)}
        </Text>
      )}
    </li>
  );
}
