import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The module of Today, the usual start page. */
const firstPage = /\/features\/today\/today-page\.tsx$/;

/** Preloads the files of Today from the HTML page, in parallel with those of the shell instead of after them. */
export function preloadFirstPage(): Plugin {
  return {
    name: 'birdhub:preload-first-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const first = chunks.find(({ facadeModuleId }) => facadeModuleId && firstPage.test(facadeModuleId));
        if (!first) throw new Error('the page Today has no chunk of its own');
        const names = [first.fileName, ...first.imports].filter((name) => !html.includes(name));
        const styles = chunks
          .filter(({ fileName }) => names.includes(fileName))
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
        return [
          ...names.map((name) => tag({ rel: 'modulepreload', crossorigin: true, href: `./${name}` })),
          ...styles.map((name) => tag({ rel: 'stylesheet', crossorigin: true, href: `./${name}` })),
        ];
      },
    },
  };
}

const tag = (attrs: Record<string, string | true>): HtmlTagDescriptor => ({
  tag: 'link',
  attrs,
  injectTo: 'head',
});
