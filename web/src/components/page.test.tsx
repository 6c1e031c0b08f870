import { cleanup, fireEvent, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../testing/render-part';
import { Page } from './page';

const firstPath = window.location.pathname;

afterEach(() => {
  cleanup();
  window.history.replaceState(null, '', firstPath);
});

/** Two pages with a link to the second one in the first and beside it. */
function Site({ children }: { readonly children: ReactNode }) {
  const [path, setPath] = useState('first');
  const open = () => {
    window.history.pushState(null, '', '/second');
    setPath('second');
  };
  return (
    <>
      <button type="button" onClick={open}>
        Navigation
      </button>
      <main>
        <Page key={path} title={path}>
          {path === 'first' ? (
            <button type="button" onClick={open}>
              Link
            </button>
          ) : (
            children
          )}
        </Page>
      </main>
    </>
  );
}

async function follow(name: string, content: ReactNode = null) {
  await renderPart(<Site>{content}</Site>, {});
  const link = screen.getByRole('button', { name });
  link.focus();
  fireEvent.click(link);
}

describe('Page', () => {
  it('that is shown first, leaves the focus where it is', async () => {
    await renderPart(<Site>{null}</Site>, {});
    expect(document.activeElement).toBe(document.body);
  });

  it.each(['Navigation', 'Link'])('opened by "%s", has the focus on its heading', async (name) => {
    await follow(name);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'second' }));
  });

  it('that focuses a field itself, keeps the focus there', async () => {
    // biome-ignore lint/a11y/noAutofocus: as pages with a form do.
    await follow('Navigation', <input autoFocus />);
    expect(document.activeElement).toBe(screen.getByRole('textbox'));
  });
});
