import { Alert, Anchor, Badge, Box, Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconLinkOff, IconLock, IconShare } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Problem } from '../../api/problem';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Page } from '../../components/page';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { sharesKey, sharesQuery } from '../../components/share/shares-query';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';

/** The public links, with buttons to open and revoke them. */
export function SharesPage() {
  const { t } = useTranslation('share');
  const { isSharingAllowed } = useHubFacts();
  return (
    <Page title={t('shares')}>
      <Stack maw={760}>
        <Text c="dimmed">{t('shares_hint')}</Text>
        {!isSharingAllowed && (
          <Alert color="yellow" title={t('forbidden')} icon={<IconAlertTriangle aria-hidden />}>
            {t('links_off')}
          </Alert>
        )}
        <ShareList />
      </Stack>
    </Page>
  );
}

function ShareList() {
  const { t } = useTranslation('share');
  const { data, error, isFetching, refetch } = useQuery(sharesQuery);
  if (data !== undefined) {
    if (data.length) return data.map((share) => <SharedLink key={share.id} share={share} />);
    return (
      <Empty icon={IconShare} title={t('no_shares')}>
        {t('no_shares_hint')}
      </Empty>
    );
  }
  if (error === null || isFetching) return <Loading rows={3} />;
  if (!(error instanceof Problem) || error.status !== 403) {
    return <Failure error={error} onRetry={() => void refetch()} />;
  }
  return (
    <Empty
      icon={IconLock}
      title={t('locked')}
      action={<Button onClick={() => void refetch()}>{t('unlock')}</Button>}
    />
  );
}

type Share = Awaited<ReturnType<NonNullable<typeof sharesQuery.queryFn>>>[number];

function SharedLink({ share }: { readonly share: Share }) {
  const { t } = useTranslation('share');
  const { moment, dayTitle, language } = useTimeFormat();
  const nameOf = useSpeciesName();
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => unwrap(hub.DELETE('/api/ui/shares/{id}', { params: { path: { id: share.id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sharesKey }),
  });
  const { video_id: videoId, day, expired, t: second, species, start_time: start } = share;
  const birds = new Intl.ListFormat(language).format(species.map(nameOf));
  const title = day === null ? birds || t('recording', { id: videoId }) : dayTitle(day);
  const name = start === null ? title : `${title}, ${moment(start)}`;
  return (
    <Card withBorder padding="md" bg="var(--card-background)" component="article">
      <Group justify="space-between" gap="sm">
        {videoId !== null && (
          <Box w="6rem" flex="none">
            <SpeciesPicture url={`/api/ui/videos/${videoId}/poster`} alt="" sizes="6rem" />
          </Box>
        )}
        <Stack gap={2} miw={0} flex="1 1 160px">
          <Anchor
            fw={600}
            renderRoot={(props) =>
              day === null ? (
                <Link
                  to="/videos/$id"
                  params={{ id: String(videoId) }}
                  search={second === null ? {} : { t: second }}
                  {...props}
                />
              ) : (
                <Link to="/timeline" search={{ date: day }} {...props} />
              )
            }
          >
            {title}
          </Anchor>
          {start !== null && <Text size="sm">{moment(start)}</Text>}
          <Text size="sm" c="dimmed">
            {t('created', { date: moment(share.created_at) })}
          </Text>
          <Text size="sm" c="dimmed">
            {t(expired ? 'expired_on' : 'valid_until', { date: moment(share.expires_at) })}
          </Text>
        </Stack>
        {expired ? (
          <Badge variant="default" tt="none">
            {t('expired')}
          </Badge>
        ) : (
          <Button
            variant="default"
            leftSection={<IconLinkOff size={18} aria-hidden />}
            aria-label={t('revoke_what', { name })}
            onClick={() => {
              revoke.reset();
              setIsAsking(true);
            }}
          >
            {t('revoke')}
          </Button>
        )}
      </Group>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('revoke_what', { name })}
        label={t('revoke')}
        isPending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate(undefined, { onSuccess: () => setIsAsking(false) })}
        onClose={() => setIsAsking(false)}
      />
    </Card>
  );
}
