import { ThemeIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './picture-badge.module.css';

/** An icon in the corner of a picture for how the bird was noticed; `label` is its accessible name. */
export function PictureBadge({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ThemeIcon
      className={classes['badge'] ?? ''}
      size={24}
      radius="xl"
      color="dark"
      role="img"
      aria-label={label}
      title={label}
    >
      {children}
    </ThemeIcon>
  );
}
