import { cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { createVisit } from '../../testing/factories';
import { renderPart } from '../../testing/render-part';
import { LiveFeed } from './live-feed';
import texts from './texts/en.json';

afterEach(cleanup);

const visits = [4, 3, 2, 1].map((id) => createVisit({ id }));

function Feed() {
  const [count, setCount] = useState(1);
  return (
    <>
      <button type="button" onClick={() => setCount(count + 1)}>
        Receive
      </button>
      <LiveFeed day="2026-05-04" visits={visits.slice(-count)} />
    </>
  );
}

test('the feed, after the held visits are shown by keyboard, holds nothing back and keeps the focus', async () => {
  await renderPart(<Feed />, { today: texts });
  const receive = () => fireEvent.click(screen.getByText('Receive'));
  const shown = () => screen.getAllByRole('link').length;
  screen.getByRole('link').focus();
  receive();
  expect(shown()).toBe(1);
  const button = screen.getByRole('button', { name: texts.show_new_one });
  button.focus();
  fireEvent.click(button);
  expect(shown()).toBe(2);
  expect(document.activeElement).not.toBe(document.body);
  receive();
  expect(shown()).toBe(3);
});
