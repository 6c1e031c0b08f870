import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../testing/render-part';
import { NavigationList } from './navigation-list';
import texts from './texts/en.json';

afterEach(cleanup);

async function show(address: string, isRest = false) {
  await renderPart(<NavigationList isRest={isRest} />, { app: texts }, {}, { address });
  return screen.getAllByRole('link');
}

describe('the list of pages', () => {
  it.each([
    ['/', 'Today'],
    ['/timeline?date=2026-05-01', 'Timeline'],
    ['/timeline?review=1', 'Review'],
    ['/videos/7', 'Timeline'],
    ['/species/3', 'Species'],
    ['/settings', 'Settings'],
    ['/cameras/garden', 'Live'],
    ['/shares', 'Settings'],
    ['/welcome', 'Today'],
  ])('at %s, marks only %s', async (path, name) => {
    const current = (await show(path)).filter((link) => link.getAttribute('aria-current') === 'page');
    expect(current.map((link) => link.textContent)).toEqual([name]);
  });

  it('beside the tabs of a phone, has none of them', async () => {
    const names = (await show('/', true)).map((link) => link.textContent);
    expect(names).toEqual([
      'Live',
      'Calendar',
      'Compare',
      'Region',
      'Reports',
      'Sources',
      'System',
      'Settings',
    ]);
  });
});
