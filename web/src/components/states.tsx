import { Button, Center, Group, Loader, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconFeather, type IconProps } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Problem, problemText } from '../api/problem';

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

const retrySeconds = 10;

/** Returns after how many seconds a request that failed for now is repeated; undefined if that would not help. */
function retryDelayOf(error: Error): number | undefined {
  if (!(error instanceof Problem)) return undefined;
  if (error.retryAfterSeconds !== undefined) return Math.max(1, error.retryAfterSeconds);
  return error.status === 0 || error.status > 500 ? retrySeconds : undefined;
}

/** Calls `onRetry` when the time has passed that the hub asks to wait. Returns the remaining seconds. */
function useRetryCountdown(error: Error, onRetry: (() => void) | undefined): number | undefined {
  const [waiting, setWaiting] = useState({ error, seconds: retryDelayOf(error) });
  if (waiting.error !== error) setWaiting({ error, seconds: retryDelayOf(error) });
  const { seconds } = waiting;
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (seconds === undefined) return undefined;
    if (seconds === 0) return retry();
    const timer = setTimeout(() => setWaiting({ error, seconds: seconds - 1 }), 1_000);
    return () => clearTimeout(timer);
  }, [error, seconds]);
  return onRetry && seconds;
}

interface FailureProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Whether it is one row, for a part of what is shown. */
  readonly isRow?: boolean;
}

/** A failed request, with a retry button; repeated by itself where that may help. */
export function Failure({ error, onRetry, isRow = false }: FailureProps) {
  const { t } = useTranslation('components');
  const secondsLeft = useRetryCountdown(error, onRetry);
  const action = onRetry && (
    <Button onClick={onRetry} flex="none">
      {t('retry')}
      {/* Hidden, as an alert would announce each second. */}
      {secondsLeft !== undefined && <span aria-hidden>&nbsp;({secondsLeft})</span>}
    </Button>
  );
  const text = problemText(t, error);
  return (
    <div role="alert">
      {isRow ? (
        <Group justify="space-between" wrap="nowrap">
          {text}
          {action}
        </Group>
      ) : (
        <Message icon={IconAlertTriangle} title={t('failed')} action={action}>
          {text}
        </Message>
      )}
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

/** Shown while a page's script is loading, and before the first texts are. */
export function PageLoading() {
  // Without Suspense, as it is a fallback itself.
  const { t } = useTranslation('components', { useSuspense: false });
  return (
    <Center mih={240}>
      <Loader role="status" aria-label={t('loading', { defaultValue: '…' })} />
    </Center>
  );
}
