import { Chip, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Problem, problemText } from '../../api/problem';
import { foodQuery } from './today-queries';

/** All foods, to select those on offer; loaded when the selection is opened. */
export function FoodChips() {
  const { t } = useTranslation('today');
  const queryClient = useQueryClient();
  const { data: foods = [] } = useQuery(foodQuery);
  const change = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.PATCH('/api/ui/birdfood/{id}/toggle', { params: { path: { id } } })),
    onSuccess: ({ id, active }) =>
      queryClient.setQueryData(foodQuery.queryKey, (old) =>
        old?.map((food) => (food.id === id ? { ...food, active } : food)),
      ),
  });
  const isLocked = change.error instanceof Problem && change.error.status === 403;
  return (
    <>
      <Group gap="xs" mt="xs" role="group" aria-label={t('food')}>
        {foods.map(({ id, name, active }) => (
          <Chip
            key={id}
            checked={active}
            disabled={change.isPending && change.variables === id}
            onChange={() => change.mutate(id)}
          >
            {name}
          </Chip>
        ))}
      </Group>
      {change.error && !isLocked && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt="xs">
          {problemText(t, change.error)}
        </Text>
      )}
    </>
  );
}
