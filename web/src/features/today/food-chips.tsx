import { Button, Chip, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Problem, problemText } from '../../api/problem';
import { useFoodName } from '../../i18n/food-names';
import { foodQuery } from './today-queries';

/** All foods, to select those on offer, and a field to add one; loaded when the selection is opened. */
export function FoodChips() {
  const { t } = useTranslation('today');
  const queryClient = useQueryClient();
  const foodName = useFoodName();
  const { data: foods = [] } = useQuery(foodQuery);
  const change = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.PATCH('/api/ui/birdfood/{id}/toggle', { params: { path: { id } } })),
    onSuccess: ({ id, active }) =>
      queryClient.setQueryData(foodQuery.queryKey, (old) =>
        old?.map((food) => (food.id === id ? { ...food, active } : food)),
      ),
  });
  return (
    <>
      <Group gap="xs" mt="xs" role="group" aria-label={t('food')}>
        {foods.map(({ id, name, active }) => (
          <Chip
            key={id}
            checked={active}
            // Not `disabled`, which would take the focus away.
            aria-disabled={change.isPending && change.variables === id}
            onChange={() => !(change.isPending && change.variables === id) && change.mutate(id)}
          >
            {foodName(name)}
          </Chip>
        ))}
      </Group>
      <FoodProblem error={change.error} />
      <OtherFood />
    </>
  );
}

/** Adds a food that is not listed and offers it from now on; a listed one is only offered. */
function OtherFood() {
  const { t } = useTranslation('today');
  const queryClient = useQueryClient();
  const foodName = useFoodName();
  const { data: foods = [] } = useQuery(foodQuery);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const add = useMutation({
    mutationFn: async (text: string) => {
      const name = text.trim();
      const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
      const listed = foods.find((food) => isSame(food.name) || isSame(foodName(food.name)));
      if (listed === undefined) await unwrap(hub.POST('/api/ui/birdfood', { body: { name } }));
      else if (!listed.active)
        await unwrap(hub.PATCH('/api/ui/birdfood/{id}/toggle', { params: { path: { id: listed.id } } }));
      await queryClient.invalidateQueries(foodQuery);
    },
    // What was typed meanwhile stays.
    onSuccess: (_, text) => setTyped((now) => (now === text ? '' : now)),
  });
  const isEmpty = typed.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The button loses the focus, as it is disabled.
    field.current?.focus();
    if (!isEmpty) add.mutate(typed);
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" mt="sm" align="end" wrap="nowrap">
        <TextInput
          ref={field}
          flex={1}
          size="sm"
          label={t('other_food')}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" flex="none" loading={add.isPending} disabled={isEmpty}>
          {t('add_food')}
        </Button>
      </Group>
      <FoodProblem error={add.error} />
    </form>
  );
}

/** Why a change failed; nothing when the hub is locked, as a dialog asks for the password. */
function FoodProblem({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation('today');
  if (error === null || (error instanceof Problem && error.status === 403)) return null;
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert" mt="xs">
      {problemText(t, error)}
    </Text>
  );
}
