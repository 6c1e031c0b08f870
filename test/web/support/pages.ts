import type { Page } from 'playwright-core';

/** Every page of the UI with what its heading says, at addresses that the filled hub has. */
export async function listPages(baseUrl: string): Promise<{ path: string; heading: RegExp }[]> {
  const read = async (path: string) => (await fetch(`${baseUrl}/api/ui${path}`)).json();
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const visits = (await read(`/timeline?date=${yesterday}`)) as { detections: { video_id: number }[] }[];
  const species = (await read('/species/observed')) as { id: number; name: string }[];
  const video = visits[0]?.detections[0]?.video_id;
  const bird = species[0];
  if (video === undefined || bird === undefined) throw new Error('the hub is not filled');
  return [
    { path: '/', heading: /Today/ },
    { path: `/timeline?date=${yesterday}`, heading: /Timeline/ },
    { path: '/timeline?review=1', heading: /Review/ },
    { path: `/videos/${video}`, heading: /./ },
    { path: '/species', heading: /Species/ },
    { path: `/species/${bird.id}`, heading: new RegExp(bird.name) },
    { path: '/calendar', heading: /Calendar/ },
    { path: '/region', heading: /Region/ },
    { path: '/reports', heading: /Reports/ },
    { path: '/system', heading: /System/ },
    { path: '/settings', heading: /Settings/ },
  ];
}

/** Waits until the page has asked for all it shows. The live events never end, so this is no idle network. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    "document.querySelector('[role=status][aria-label], .mantine-Loader-root') === null",
  );
  await page.evaluate('document.fonts.ready');
}
