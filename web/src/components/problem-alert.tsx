import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** The problem of a form, which screen readers announce. */
export function ProblemAlert({ children }: { readonly children: ReactNode }) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
      {children}
    </Alert>
  );
}
