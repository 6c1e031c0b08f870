import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { renderPart } from '../testing/render-part';
import { ConfirmDialog } from './confirm-dialog';
import texts from './texts/en.json';

afterEach(cleanup);

interface OpenerProps {
  /** Whether the dialog stays mounted when it is closed. */
  readonly isKept: boolean;
}

function Opener({ isKept }: OpenerProps) {
  const [state, setState] = useState<'new' | 'open' | 'closed'>('new');
  const isMounted = state === 'open' || (isKept && state === 'closed');
  return (
    <>
      <button type="button" onClick={() => setState('open')}>
        Open
      </button>
      {isMounted && (
        <ConfirmDialog
          isOpen={state === 'open'}
          title="Sure?"
          label="Yes"
          isPending={false}
          onConfirm={() => undefined}
          onClose={() => setState('closed')}
        />
      )}
    </>
  );
}

test.each([
  ['that is unmounted when it closes', false],
  ['that is mounted when it opens first', true],
])('a dialog %s, returns the focus to its opener', async (_, isKept) => {
  await renderPart(<Opener isKept={isKept} />, { components: texts });
  const opener = screen.getByRole('button', { name: 'Open' });
  opener.focus();
  fireEvent.click(opener);
  const cancel = await screen.findByRole('button', { name: texts.cancel });
  cancel.focus();
  fireEvent.click(cancel);
  await waitFor(() => expect(document.activeElement).toBe(opener));
});
