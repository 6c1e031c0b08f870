import { ActionIcon, Anchor, Group, Text } from '@mantine/core';
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { prefetchPicture } from '../../components/pictures/hub-picture';
import { useTimeFormat } from '../../lib/format';
import { neighborsQuery, type Recording, recordingQuery } from './recording-queries';
import { stageSizes } from './stage';

interface StepProps {
  readonly id: number | null | undefined;
  readonly label: string;
  readonly icon: typeof IconChevronLeft;
}

function Step({ id, label, icon: Icon }: StepProps) {
  const look = { variant: 'default', size: 36, 'aria-label': label } as const;
  const icon = <Icon size={20} aria-hidden />;
  if (!id) {
    return (
      <ActionIcon {...look} disabled>
        {icon}
      </ActionIcon>
    );
  }
  return (
    <ActionIcon
      {...look}
      renderRoot={(props) => <Link to="/videos/$id" params={{ id: String(id) }} {...props} />}
    >
      {icon}
    </ActionIcon>
  );
}

/** Links to the previous and next recording and to the day. */
export function NeighborNav({ recording }: { readonly recording: Recording }) {
  const { t } = useTranslation('recording');
  const { dayOf, dayTitle, dayOfYearTitle, today } = useTimeFormat();
  const { data } = useQuery(neighborsQuery(recording.id));
  const day = dayOf(recording.start_time);
  const visitId = recording.species.find(({ visit_id }) => visit_id !== null)?.visit_id;
  return (
    <Group justify="space-between" mb="sm" gap="xs">
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link
            to="/timeline"
            search={{ date: day }}
            {...(visitId && { hash: `visit-${visitId}` })}
            {...props}
          />
        )}
      >
        <Group gap={6} wrap="nowrap">
          <IconArrowLeft size={16} aria-hidden />
          {day.slice(0, 4) === today().slice(0, 4) ? dayOfYearTitle(day) : dayTitle(day)}
        </Group>
      </Anchor>
      <Group component="nav" gap="xs" aria-label={t('neighbors')} wrap="nowrap">
        <Step id={data?.previous_id} label={t('previous')} icon={IconChevronLeft} />
        <Text size="sm" miw={72} ta="center" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {data && t('place', { index: data.index + 1, total: data.total })}
        </Text>
        <Step id={data?.next_id} label={t('next')} icon={IconChevronRight} />
      </Group>
    </Group>
  );
}

/** Ids of the neighbours; prefetches them. */
export function useNeighbors(id: number) {
  const queryClient = useQueryClient();
  const { data } = useQuery(neighborsQuery(id));
  const { previous_id: previous, next_id: next } = data ?? {};
  useEffect(() => {
    for (const neighbor of [next, previous]) {
      if (!neighbor) continue;
      void queryClient.prefetchQuery(neighborsQuery(neighbor));
      void queryClient.ensureQueryData(recordingQuery(neighbor)).then(
        ({ media_kind, poster_url }) => {
          if (media_kind !== null) prefetchPicture(poster_url, stageSizes);
          // Errors are shown when that recording is opened.
        },
        () => undefined,
      );
    }
  }, [queryClient, next, previous]);
  return { previous, next };
}
