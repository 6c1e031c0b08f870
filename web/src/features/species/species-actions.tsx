import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Menu,
  Modal,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowMerge, IconDots, IconPencil } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import { showProblemNotice, showUndoNotice } from '../../components/notices';
import { SpeciesChoice } from '../../components/species-choice';
import { useSpeciesName } from '../../i18n/species-names';
import { speciesListQuery } from '../../lib/species-list';
import { useCloseWarning } from '../../lib/use-leave-warning';
import { fieldErrors, formOf, patchOf, type SpeciesForm, type SpeciesPatch } from './species-form';
import type { SpeciesSummary } from './species-queries';

/** Menu with edit and merge, which ask for the admin password. */
export function SpeciesActions({ species }: Pick<SpeciesSummary, 'species'>) {
  const { t } = useTranslation('species');
  const [isEditing, edit] = useDisclosure(false);
  const [isMerging, merge] = useDisclosure(false);
  const { data } = useQuery(speciesListQuery);
  const row = data?.find(({ id }) => id === species.id);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" size={36} aria-label={t('actions')} title={t('actions')}>
            <IconDots size={20} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={18} aria-hidden />}
            disabled={row === undefined}
            onClick={edit.open}
          >
            {t('edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconArrowMerge size={18} aria-hidden />} onClick={merge.open}>
            {t('merge')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {row && (
          <EditDialog
            isOpen={isEditing}
            speciesId={species.id}
            before={formOf(row, species)}
            onClose={edit.close}
          />
        )}
        <MergeDialog species={species} isOpen={isMerging} onClose={merge.close} />
      </Suspense>
    </>
  );
}

interface EditFormProps {
  readonly speciesId: number;
  readonly before: SpeciesForm;
  readonly onClose: () => void;
  readonly onChange: (hasChanges: boolean) => void;
}

function EditForm({ speciesId, before, onClose, onChange }: EditFormProps) {
  const { t } = useTranslation('species');
  const queryClient = useQueryClient();
  const [first] = useState(before);
  const [form, setForm] = useState(first);
  const hasChanges = Object.keys(patchOf(first, form)).length > 0;
  useEffect(() => {
    onChange(hasChanges);
    return () => onChange(false);
  }, [hasChanges, onChange]);
  const save = useMutation({
    mutationFn: (body: SpeciesPatch) =>
      unwrap(hub.PATCH('/api/ui/species/{id}', { params: { path: { id: speciesId } }, body })),
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      onClose();
    },
  });
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
    const patch = patchOf(before, form);
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
function EditDialog({ isOpen, ...form }: EditDialogProps) {
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

interface MergeDialogProps {
  /** The species to merge. */
  readonly species: { readonly id: number; readonly name: string };
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** How long the undo notice stays. */
const undoMs = 20_000;

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Merges a species into another one, with undo. */
function useMerge(species: Named, onMerged: () => void) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const goTo = (id: number) => navigate({ to: '/species/$id', params: { id: String(id) } });
  const revert = useMutation({
    mutationFn: ({ mergeId }: { readonly mergeId: number; readonly speciesId: number }) =>
      unwrap(hub.POST('/api/ui/species/merges/{id}/revert', { params: { path: { id: mergeId } } })),
    onSuccess: async (_, { speciesId }) => {
      await queryClient.invalidateQueries();
      await goTo(speciesId);
    },
    onError: (error) => showProblemNotice(problemText(t, error)),
  });
  return useMutation({
    mutationFn: (into: Named) =>
      unwrap(
        hub.POST('/api/ui/species/{id}/merge', {
          params: { path: { id: species.id } },
          body: { into_species_id: into.id },
        }),
      ),
    onSuccess: async ({ merge_id }, into) => {
      onMerged();
      await goTo(into.id);
      showUndoNotice({
        message: t('merged', { name: nameOf(species.name), into: nameOf(into.name) }),
        label: t('undo'),
        onUndo: () => revert.mutate({ mergeId: merge_id, speciesId: species.id }),
        milliseconds: undoMs,
      });
      await queryClient.invalidateQueries();
    },
  });
}

/** Chooses the target of a merge and confirms it. */
function MergeDialog({ species, isOpen, onClose }: MergeDialogProps) {
  const { t } = useTranslation('species');
  const nameOf = useSpeciesName();
  const [into, setInto] = useState<Named>();
  const close = () => {
    setInto(undefined);
    if (merge.isError) merge.reset();
    onClose();
  };
  const merge = useMerge(species, close);
  const name = nameOf(species.name);
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('merge_title', { name })}
      closeButtonProps={{ 'aria-label': t('cancel') }}
      centered
    >
      <Stack>
        <Text size="sm">{t('merge_why')}</Text>
        <SpeciesChoice
          label={t('merge_into')}
          value={into?.id ?? null}
          without={[species.id]}
          onChoose={setInto}
          onClear={() => setInto(undefined)}
          autoFocus
        />
        {into && (
          <Alert variant="light" role="status">
            {t('merge_effect', { name, into: nameOf(into.name) })}
          </Alert>
        )}
        {merge.error && (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {problemText(t, merge.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            disabled={into === undefined}
            loading={merge.isPending}
            onClick={() => into && merge.mutate(into)}
          >
            {t('merge')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
