import { Anchor, Button, Stack } from '@mantine/core';
import { IconChevronLeft, IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem } from '../../api/problem';
import { Page } from '../../components/page';
import { Empty, Failure, Loading } from '../../components/states';
import { KindCards } from './kind-cards';
import { AddSource, EditSource } from './source-editor';
import { SourceList } from './source-list';
import { sourcesQuery } from './sources-queries';

/** The programs from which the hub imports birds: a list, and forms to add and change them. */
export function SourcesPage() {
  const { t } = useTranslation('sources');
  const { add, edit, added } = useSearch({ from: '/sources' });
  const { data: sources, error, isFetching, refetch } = useQuery(sourcesQuery);
  if (sources === undefined) {
    return (
      <Page title={t('title')}>
        {error === null || isFetching ? (
          <Loading rows={3} height={120} />
        ) : error instanceof Problem && error.status === 403 ? (
          <Empty
            icon={IconLock}
            title={t('locked_title')}
            action={<Button onClick={() => void refetch()}>{t('unlock')}</Button>}
          >
            {t('locked')}
          </Empty>
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  const edited = sources.find(({ id }) => id === edit);
  if (add !== undefined) {
    return (
      <FormPage key={add} title={t(`kind.${add}`)}>
        <AddSource
          kind={add}
          taken={sources.map(({ name }) => name)}
          hasSibling={sources.some(({ kind }) => kind === add)}
        />
      </FormPage>
    );
  }
  if (edited !== undefined) {
    return (
      <FormPage key={edited.id} title={t('edit_title', { name: edited.name })}>
        <EditSource source={edited} />
      </FormPage>
    );
  }
  return (
    <Page title={t('title')}>
      <Stack gap="xl">
        {sources.length > 0 && <SourceList sources={sources} addedId={added} />}
        <KindCards isFirst={sources.length === 0} />
      </Stack>
    </Page>
  );
}

/** A form with a link back to the list. */
function FormPage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { t } = useTranslation('sources');
  return (
    <Page title={title}>
      <Anchor
        py={4}
        underline="never"
        display="inline-block"
        mb="xs"
        renderRoot={(props) => <Link to="/sources" {...props} />}
      >
        <IconChevronLeft size={18} aria-hidden style={{ verticalAlign: '-3px' }} /> {t('all_sources')}
      </Anchor>
      {children}
    </Page>
  );
}
