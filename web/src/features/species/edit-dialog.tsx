import { Button, Group, Modal, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../../api/problem';
import { SpeciesChoice } from '../../components/species-choice';
import { useCloseWarning } from '../../lib/use-leave-warning';
import { fieldErrors, patchOf, type SpeciesForm } from './species-form';
import { useUpdateSpecies } from './species-mutations';

interface EditFormProps {
  readonly speciesId: number;
  readonly before: SpeciesForm;
  readonly onClose: () => void;
  readonly onChange: (hasChanges: boolean) => void;
}

function EditForm({ speciesId, before, onClose, onChange }: EditFormProps) {
  const { t } = useTranslation('species');
  const [first] = useState(before);
  const [form, setForm] = useState(first);
  const hasChanges = Object.keys(patchOf(first, form)).length > 0;
  useEffect(() => {
    onChange(hasChanges);
    return () => onChange(false);
  }, [hasChanges, onChange]);
  const save = useUpdateSpecies(speciesId, onClose);
  const errors = fieldErrors(save.error);
  const isGeneral = save.error !== null && Object.keys(errors).length === 0;
  const text = (field: 'name' | 'scientific_name' | 'ebird_code' | 'image_url' | 'description') => ({
    label: t(`field_${field}`),
    value: form[field],
    error: errors[field],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setForm({ ...form, [field]: currentTarget.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const patch = patchOf(first, form);
    if (Object.keys(patch).length === 0) onClose();
    else save.mutate(patch);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput {...text('name')} required maxLength={200} data-autofocus />
        <TextInput {...text('scientific_name')} maxLength={200} />
        <TextInput
          {...text('ebird_code')}
          description={t('ebird_hint')}
          autoCapitalize="off"
          spellCheck={false}
        />
        <div>
          <SpeciesChoice
            label={t('field_parent_id')}
            value={form.parent_id}
            without={[speciesId]}
            onChoose={({ id }) => setForm({ ...form, parent_id: id })}
            onClear={() => setForm({ ...form, parent_id: null })}
          />
          {errors.parent_id && (
            <Text c="var(--mantine-color-error)" size="xs" mt={4}>
              {errors.parent_id}
            </Text>
          )}
        </div>
        <TextInput {...text('image_url')} description={t('image_hint')} inputMode="url" />
        <Textarea
          {...text('description')}
          description={t('description_hint')}
          autosize
          minRows={3}
          maxRows={12}
        />
        <Switch
          label={t('field_active')}
          checked={form.active}
          onChange={({ currentTarget }) => setForm({ ...form, active: currentTarget.checked })}
        />
        {isGeneral && save.error && (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {problemText(t, save.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface EditDialogProps extends Omit<EditFormProps, 'onChange'> {
  readonly isOpen: boolean;
}

/** Edits a species. */
export function EditDialog({ isOpen, ...form }: EditDialogProps) {
  const { t } = useTranslation('species');
  const [hasChanges, setHasChanges] = useState(false);
  const close = useCloseWarning(hasChanges, form.onClose);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('edit_title')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('cancel') }}
      closeOnClickOutside={false}
    >
      <EditForm {...form} onChange={setHasChanges} />
    </Modal>
  );
}
