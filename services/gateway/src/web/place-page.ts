/** What other parts of the hub answer, and addresses that name a file. */
const noPage = /^\/(api|data|assets|metrics)(\/|$)|\.[a-z0-9]+$/i;

/** For whoever asks; the others are for browsers alone, so that programs are told of addresses that are none. */
const openPages = ['/', '/index.html', '/timeline'];

/** Whether an address below the base path is one of the UI's pages, all of which are one file. */
export function isPage(path: string, accept: string | undefined): boolean {
  if (openPages.includes(path)) return true;
  return !noPage.test(path) && accept?.includes('text/html') === true;
}

/** The file of all pages with the place where a browser reaches them: `prefix` has no slash at its end. */
export function placePage(html: string, prefix: string): string {
  return html.replace(/<base href="[^"]*"/, `<base href="${prefix}/"`);
}
