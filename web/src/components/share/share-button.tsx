import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShare } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOnce } from '../../lib/use-once';
import { lazyPart } from '../lazy-part';
import { PartBoundary } from '../part-boundary';

/** A recording, optionally from second `t` on, or a day `YYYY-MM-DD`. */
export type Shareable = { readonly videoId: number; readonly t?: number } | { readonly day: string };

interface ShareButtonProps {
  /** A function if it depends on the time of the click, such as the position of a player. */
  readonly what: Shareable | (() => Shareable);
  /** Title to share with the link, such as `Great Tit, 22 November`. */
  readonly title: string;
  /** With a label next to the icon. */
  readonly isLabelled?: boolean;
  /** One of many on a page: without a border; the accessible name includes the title. */
  readonly isQuiet?: boolean;
  /** On a picture: dark; the accessible name includes the title. */
  readonly isOnPicture?: boolean;
  readonly size?: number;
}

const ShareDialog = lazyPart(() => import('./share-dialog').then((file) => file.ShareDialog));

/** Opens the dialog to share a recording or a day. */
export function ShareButton(props: ShareButtonProps) {
  const { what, title, isLabelled = false, isQuiet = false, isOnPicture = false, size = 40 } = props;
  const { t } = useTranslation('components');
  const [isOpen, { open, close }] = useDisclosure(false);
  const wasOpen = useOnce(isOpen);
  const label = isQuiet || isOnPicture ? `${t('share')}: ${title}` : t('share');
  return (
    <>
      {isLabelled ? (
        <Button variant="default" leftSection={<IconShare size={18} aria-hidden />} onClick={open}>
          {label}
        </Button>
      ) : (
        <ActionIcon
          {...(isOnPicture
            ? ({ variant: 'filled', color: 'dark', radius: 'xl' } as const)
            : { variant: isQuiet ? 'subtle' : 'default' })}
          size={size}
          aria-label={label}
          title={label}
          aria-haspopup="dialog"
          onClick={open}
        >
          <IconShare size={size / 2} aria-hidden />
        </ActionIcon>
      )}
      {wasOpen && (
        <PartBoundary isOpen={isOpen} onMissing={close}>
          <ShareDialog isOpen={isOpen} what={what} title={title} onClose={close} />
        </PartBoundary>
      )}
    </>
  );
}
