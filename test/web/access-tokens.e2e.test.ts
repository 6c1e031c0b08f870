import { describe, expect, test } from 'vitest';
import { screens } from '../support/browser.js';
import { findViolations } from './support/check-accessibility.js';
import { readHub } from './support/hub-api.js';
import { isWithoutBrowser, useFilledHub } from './support/open-hub.js';
import { settle } from './support/pages.js';

const open = useFilledHub();

interface ListedToken {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly last_used_address: string | null;
}

describe.skipIf(isWithoutBrowser)('access tokens in the settings', () => {
  test.each(['phone', 'desktop'] as const)(
    'on a %s, can be created, are shown once, work, and can be revoked',
    async (screen) => {
      const name = `Display on a ${screen}`;
      const { page, pageErrors } = await open.openAt('/settings#access', { viewport: screens[screen] });
      const barriers: string[] = [];
      const check = async () => {
        await settle(page);
        barriers.push(...(await findViolations(page)));
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        if (width > screens[screen].width) barriers.push(`is ${width} pixels wide`);
      };
      await page.getByRole('heading', { name: 'Access tokens' }).waitFor();
      await page.getByRole('button', { name: 'Create token' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByLabel('View everything', { exact: true }).check();
      await check();
      await dialog.getByRole('button', { name: 'Create token' }).click();
      const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
      expect(token).toMatch(/^birdhub_[\w-]{43}$/);
      await check();
      await dialog.getByRole('button', { name: 'Done' }).click();

      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${open.hub.baseUrl}/api/ui/cameras`, { headers })).status).toBe(200);
      const refused = await fetch(`${open.hub.baseUrl}/api/ui/settings`, { headers });
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
        403,
        'insufficient_scope',
      ]);

      await page.reload();
      const row = page.getByRole('listitem').filter({ hasText: name });
      await row.getByText('View everything').waitFor();
      expect(await page.content()).not.toContain(token);
      await check();
      await row.getByRole('button', { name: `Revoke ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await row.waitFor({ state: 'detached' });
      expect((await fetch(`${open.hub.baseUrl}/api/ui/cameras`, { headers })).status).toBe(401);
      const left = await readHub<ListedToken[]>(open.hub, '/tokens');
      expect(left.filter((one) => one.name === name)).toEqual([]);
      expect([barriers, pageErrors]).toEqual([[], []]);
    },
  );
});
