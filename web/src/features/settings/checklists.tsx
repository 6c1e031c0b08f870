import { Anchor, Button, FileButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconFileUpload } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { problemText } from '../../api/problem';
import type { components } from '../../api/schema';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Failure, Loading } from '../../components/states';
import { useTimeFormat } from '../../lib/format';

type Checklist = components['schemas']['Checklist'];

const checklistsQuery = queryOptions({
  queryKey: ['checklists'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/checklists', { signal })),
});

const tidyQuery = queryOptions({
  queryKey: ['checklists', 'tidy'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/species/tidy', { signal })),
});

/** World bird checklists: loaded ones, upload, and merging of duplicate species. */
export function Checklists() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(checklistsQuery);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t('checklists.intro')}
      </Text>
      {data === undefined && error === null && <Loading rows={1} height={84} />}
      {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text size="sm">{t('checklists.none')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {data.map((checklist) => (
            <ChecklistCard key={checklist.source} checklist={checklist} />
          ))}
        </Stack>
      )}
      <UploadButton />
      <TidyPanel />
    </Stack>
  );
}

function ChecklistCard({ checklist }: { readonly checklist: Checklist }) {
  const { t, i18n } = useTranslation('settings');
  const { moment } = useTimeFormat();
  const client = useQueryClient();
  const { source, title, licence, url, species, loaded_at } = checklist;
  const languageNames = new Intl.DisplayNames(i18n.language, { type: 'language' });
  const languages = checklist.languages.map((code) => languageNames.of(code) ?? code);
  const removal = useMutation({
    mutationFn: () =>
      unwrap(hub.DELETE('/api/ui/checklists/{publisher}', { params: { path: { publisher: source } } })),
    // Names of species may come from it.
    onSettled: () => client.invalidateQueries(),
  });
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Paper component="li" withBorder p="sm" radius="md" bg="transparent">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} miw={0} flex={1}>
          <Anchor href={url} target="_blank" rel="noreferrer" fw={600}>
            {title}
          </Anchor>
          <Text size="sm">
            {t('checklists.species', { count: species, languages: languages.join(', ') })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('checklists.licence', { licence })} · {t('checklists.loaded', { when: moment(loaded_at) })}
          </Text>
        </Stack>
        <Button
          variant="default"
          size="sm"
          onClick={() => {
            removal.reset();
            setIsAsking(true);
          }}
          aria-label={t('checklists.remove_named', { title })}
        >
          {t('checklists.remove')}
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('checklists.remove_named', { title })}
        label={t('checklists.remove')}
        isPending={removal.isPending}
        error={removal.error}
        onConfirm={() => removal.mutate(undefined, { onSuccess: () => setIsAsking(false) })}
        onClose={() => setIsAsking(false)}
      />
    </Paper>
  );
}

function UploadButton() {
  const { t } = useTranslation('settings');
  const client = useQueryClient();
  const upload = useMutation({
    mutationFn: (file: File) =>
      unwrap(
        hub.POST('/api/ui/checklists', {
          // The generated types use a string for binary bodies.
          body: file as unknown as string,
          bodySerializer: (body) => body,
          headers: { 'content-type': 'application/octet-stream' },
        }),
      ),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <Stack gap="xs">
      <Group>
        <FileButton
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          onChange={(file) => file && upload.mutate(file)}
        >
          {(props) => (
            <Button
              {...props}
              variant="light"
              loading={upload.isPending}
              leftSection={<IconFileUpload size={18} aria-hidden />}
            >
              {t('checklists.load')}
            </Button>
          )}
        </FileButton>
      </Group>
      <Text size="sm" c="dimmed">
        {t('checklists.formats')}
      </Text>
      <div role="status">
        {upload.data && (
          <Text size="sm">
            {t(upload.data.changed ? 'checklists.done' : 'checklists.same', { count: upload.data.species })}
          </Text>
        )}
        {upload.error !== null && (
          <Text size="sm" c="red">
            {problemText(t, upload.error)}
          </Text>
        )}
      </div>
    </Stack>
  );
}

/** Maximum number of listed steps; the others are only counted. */
const maxListed = 20;

/** Duplicate species under different labels, with buttons to merge them and to undo that. */
function TidyPanel() {
  const { t } = useTranslation('settings');
  const { moment } = useTimeFormat();
  const client = useQueryClient();
  const { data } = useQuery(tidyQuery);
  const onSettled = () => client.invalidateQueries();
  const tidy = useMutation({
    mutationFn: async () => {
      for (;;) {
        const done = await unwrap(hub.POST('/api/ui/species/tidy', {}));
        if (done.remaining === 0 || done.merged + done.completed === 0) return done;
      }
    },
    onSettled,
  });
  const undo = useMutation({
    mutationFn: (id: number) =>
      unwrap(hub.POST('/api/ui/species/tidy/{id}/undo', { params: { path: { id } } })),
    onSettled,
  });
  if (data === undefined || (data.steps.length === 0 && data.last === null)) return null;
  const { steps, last } = data;
  const error = tidy.error ?? undo.error;
  return (
    <Stack gap="xs" component="section" aria-labelledby="tidy-title">
      <Title order={3} size="h4" id="tidy-title">
        {t('tidy.title')}
      </Title>
      {steps.length > 0 && (
        <>
          <Text size="sm">{t('tidy.intro', { count: steps.length })}</Text>
          <Stack component="ul" gap={4} m={0} pl="md">
            {steps.slice(0, maxListed).map((step) => (
              <Text key={`${step.kind} ${step.species_id}`} component="li" size="sm">
                {step.kind === 'merge'
                  ? t('tidy.merge', { name: step.name, into: step.into_name })
                  : t('tidy.complete', { name: step.name, scientific: step.scientific_name })}
              </Text>
            ))}
          </Stack>
          {steps.length > maxListed && (
            <Text size="sm" c="dimmed">
              {t('tidy.more', { count: steps.length - maxListed })}
            </Text>
          )}
          <Group>
            <Button loading={tidy.isPending} onClick={() => tidy.mutate()}>
              {t('tidy.apply')}
            </Button>
          </Group>
        </>
      )}
      {last !== null && (
        <Group>
          <Text size="sm" c="dimmed">
            {t('tidy.last', { when: moment(last.applied_at), count: last.steps })}
          </Text>
          <Button
            variant="default"
            size="sm"
            loading={undo.isPending}
            onClick={() => undo.mutate(last.tidy_id)}
          >
            {t('tidy.undo')}
          </Button>
        </Group>
      )}
      {error !== null && (
        <Text size="sm" c="red" role="alert">
          {problemText(t, error)}
        </Text>
      )}
    </Stack>
  );
}
