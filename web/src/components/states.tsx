import { Button, Center, Group, Loader, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconFeather, type IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { problemText } from '../api/problem';

interface MessageProps {
  readonly icon?: ComponentType<IconProps>;
  readonly title: string;
  /** Advice. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

function Message({ icon: Icon = IconFeather, title, children, action }: MessageProps) {
  return (
    <Center mih={240} p="md">
      <Stack align="center" gap="xs" maw={420} ta="center">
        <ThemeIcon size={56} radius="xl" variant="light">
          <Icon size={30} stroke={1.5} aria-hidden />
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children && <Text c="dimmed">{children}</Text>}
        {action && <Group mt="xs">{action}</Group>}
      </Stack>
    </Center>
  );
}

/** An empty state with advice. */
export function Empty(props: MessageProps) {
  return <Message {...props} />;
}

/** A failed request, with a retry button. */
export function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const { t } = useTranslation('components');
  return (
    <div role="alert">
      <Message
        icon={IconAlertTriangle}
        title={t('failed')}
        action={onRetry && <Button onClick={onRetry}>{t('retry')}</Button>}
      >
        {problemText(t, error)}
      </Message>
    </div>
  );
}

/** Placeholder rows that prevent layout shifts while loading. */
export function Loading({ rows = 4, height = 72 }: { readonly rows?: number; readonly height?: number }) {
  const { t } = useTranslation('components');
  return (
    <Stack role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}

/** Shown while a page's script is loading. */
export function PageLoading() {
  return (
    <Center mih={240}>
      <Loader role="status" aria-label="…" />
    </Center>
  );
}
