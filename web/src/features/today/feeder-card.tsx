import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Problem } from '../../api/problem';
import type { components } from '../../api/schema';
import { lazyComponent } from '../../components/lazy-part';
import { PartBoundary } from '../../components/part-boundary';
import { useFoodName } from '../../i18n/food-names';
import { useNow } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { Card } from './card';
import { cooldownSeconds, dispenseProblem } from './feeder';
import { feedQuery, foodQuery } from './today-queries';

const FoodChips = lazyComponent(() => import('./food-chips').then((file) => file.FoodChips));

/** The feeder: dispense a portion, choose the food on offer. Without feeder and food, the setup card replaces it. */
export function FeederCard() {
  const { t } = useTranslation('today');
  const { data: feed } = useQuery(feedQuery);
  const { data: foods } = useQuery(foodQuery);
  const hasFeeder = feed !== undefined && feed.feed_source !== 'none';
  if (!hasFeeder && !foods?.some(({ active }) => active)) return null;
  return (
    <Card title={t(hasFeeder ? 'feeder' : 'food')}>
      {hasFeeder && <DispenseButton feed={feed} />}
      <FoodOffered />
    </Card>
  );
}

/** Undefined while loading. */
type Feed = components['schemas']['FeedInfo'] | undefined;

const secondMs = 1_000;

/** Dispenses a portion; shows when the next one is possible. */
export function DispenseButton({ feed }: { readonly feed: Feed }) {
  const { t } = useTranslation('today');
  const { ago } = useTimeFormat();
  const queryClient = useQueryClient();
  const now = useNow(secondMs);
  const dispense = useMutation({
    mutationFn: () => unwrap(hub.POST('/api/ui/feed/dispense')),
    onSuccess: ({ dispensed_at }) =>
      queryClient.setQueryData(
        feedQuery.queryKey,
        (old) => old && { ...old, last_dispense_at: dispensed_at },
      ),
    onSettled: () => queryClient.invalidateQueries(feedQuery),
  });
  const seconds = feed ? cooldownSeconds(feed, now) : 0;
  const isLocked = dispense.error instanceof Problem && dispense.error.status === 403;
  return (
    <div>
      <Button
        fullWidth
        size="md"
        loading={dispense.isPending}
        disabled={feed === undefined || seconds > 0}
        onClick={() => dispense.mutate()}
      >
        {seconds > 0 ? t('ready_in', { seconds }) : t('dispense')}
      </Button>
      <Text size="sm" c="dimmed" mt="xs">
        {feed?.last_dispense_at
          ? t('last_portion', { ago: ago(feed.last_dispense_at, now) })
          : t('no_portion')}
      </Text>
      <VisuallyHidden role="status">{dispense.isSuccess && t('portion_given')}</VisuallyHidden>
      {dispense.error && !isLocked && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {dispenseProblem(t, dispense.error)}
        </Text>
      )}
    </div>
  );
}

/** The food on offer; recordings store what was on offer at their time. */
export function FoodOffered() {
  const { t } = useTranslation('today');
  const [isOpen, { toggle }] = useDisclosure(false);
  const { data: foods } = useQuery(foodQuery);
  const foodName = useFoodName();
  const offered = foods?.filter(({ active }) => active).map(({ name }) => foodName(name));
  return (
    <>
      <Group justify="space-between" mt="md" wrap="nowrap" align="baseline">
        <Text size="sm">
          {offered === undefined || offered.length > 0
            ? t('food_out', { foods: offered?.join(', ') ?? '…' })
            : t('no_food_out')}
        </Text>
        <Button variant="subtle" size="compact-sm" flex="none" aria-expanded={isOpen} onClick={toggle}>
          {t(isOpen ? 'done' : 'change_food')}
        </Button>
      </Group>
      {isOpen && (
        <PartBoundary>
          <FoodChips />
        </PartBoundary>
      )}
    </>
  );
}
