import { UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import classes from './chips.module.css';

/** A row of chips that scrolls sideways where space is short. */
export function ChipRow({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll in every browser.
    <div className={classes['row']} role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface ChipProps extends ComponentPropsWithRef<'button'> {
  readonly isOn: boolean;
  readonly icon?: ReactNode;
}

/** A toggle button. */
export function Chip({ isOn, icon, children, ...props }: ChipProps) {
  return (
    <UnstyledButton
      {...props}
      className={classes['chip'] ?? ''}
      data-on={isOn || undefined}
      data-icon={icon !== undefined || undefined}
      aria-pressed={isOn}
    >
      {icon}
      {children}
    </UnstyledButton>
  );
}
