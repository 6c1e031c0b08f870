import { Anchor, Stack, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { KindIcon } from './kind-icon';
import { historyKinds, liveKinds, type SourceKind } from './source-kinds';
import classes from './sources.module.css';

/** A card for each supported program, and other ways to send birds to the hub. */
export function KindCards({ isFirst }: { readonly isFirst: boolean }) {
  const { t } = useTranslation('sources');
  return (
    <Stack gap="lg" component="section" aria-labelledby="add-source">
      <div>
        <Title order={2} size={isFirst ? 'h3' : 'h4'} id="add-source">
          {t(isFirst ? 'question' : 'add_another')}
        </Title>
        {isFirst && (
          <Text c="dimmed" maw="40rem">
            {t('intro')}
          </Text>
        )}
      </div>
      <Kinds title={t('live')} kinds={liveKinds} />
      <Kinds title={t('history')} kinds={historyKinds} />
      <OtherWays />
    </Stack>
  );
}

interface KindsProps {
  readonly title: string;
  readonly kinds: readonly SourceKind[];
}

function Kinds({ title, kinds }: KindsProps) {
  const { t } = useTranslation('sources');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="h5" id={id} mb="xs">
        {title}
      </Title>
      <ul className={classes['kinds']}>
        {kinds.map((kind) => (
          <li key={kind}>
            <Link to="/sources" search={{ add: kind }} className={classes['kind']}>
              <KindIcon kind={kind} />
              <span className={classes['words']}>
                <Text span fw={600}>
                  {t(`kind.${kind}`)}
                </Text>
                <Text span size="sm" c="dimmed">
                  {t(`kind.${kind}.about`)}
                </Text>
              </span>
              <IconChevronRight size={18} aria-hidden className={classes['arrow']} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Ways to send birds to the hub. */
function OtherWays() {
  const { t } = useTranslation('sources');
  const id = useId();
  const setting = (section: string) => (props: object) => (
    <Link to="/settings" hash={section} hashScrollIntoView={false} {...props} />
  );
  const contract = (operation: string) => (props: object) => (
    <a href={hubUrl(`/docs#tag/processor/operation/${operation}`)} {...props} />
  );
  const ways = [
    ['recordings', contract('postRecording')],
    ['sightings', contract('postSighting')],
    ['mqtt', setting('mqtt')],
    ['webhooks', setting('webhooks')],
    ['token', setting('access')],
  ] as const;
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {t('other')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('other_about')}
      </Text>
      <ul className={classes['ways']}>
        {ways.map(([way, renderRoot]) => (
          <li key={way}>
            <Anchor renderRoot={renderRoot}>{t(`other.${way}`)}</Anchor>
            <Text size="sm" c="dimmed">
              {t(`other.${way}.about`)}
            </Text>
          </li>
        ))}
      </ul>
      <Text size="sm" mt="sm" style={{ overflowWrap: 'anywhere' }}>
        {t('other_guide')}
      </Text>
    </section>
  );
}
