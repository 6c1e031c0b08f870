import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { cityList } from './build/city-list.ts';
import { compress } from './build/compress.ts';
import { contractFacts } from './build/contract-facts.ts';
import { contractPage } from './build/contract-page.ts';
import { languageTexts } from './build/language-texts.ts';
import { preloadFirstPage } from './build/preload-first-page.ts';

/** The hub receives the host name that the browser used, so that requests of these pages count as same-origin. */
const hub = { target: process.env['HUB_URL'] ?? 'http://127.0.0.1:8080', changeOrigin: false };

/** Small modules that most pages use, in one file instead of twenty. */
const commonModules =
  /src\/(lib\/(clock|format|days|other|hub|play|show-more)|i18n|features\/sightings\/add-sighting|components\/(pictures|page|sparkline|when-near|highlights\/(noteworthy|highlight-reel)|visits\/visit-picture|share\/share-button|visits\/(describe|summarize)))|thumbhash|@mantine\/(core\/esm\/components\/(Anchor|Badge|Container|VisuallyHidden)\/|hooks\/esm\/use-(intersection|uncontrolled|id|timeout))|Icon(StarFilled|Ear|Share|Plus|BinocularsFilled|PlayerPauseFilled|PlayerPlayFilled)\./;

/** The part of Today below the species, which is loaded later. */
const lowerModules = /src\/features\/today\/(lower-page|aside-cards|feeder-card|live-feed|past-days)/;

export default defineConfig({
  // Addresses are relative to the page's `<base>`, which the server sets.
  base: './',
  plugins: [
    react(),
    contractFacts(),
    contractPage(),
    cityList(),
    languageTexts(),
    preloadFirstPage(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src',
      filename: 'service-worker.ts',
      injectRegister: false,
      injectManifest: {
        globPatterns: ['**/*.{js,css,html,svg,png,woff2}'],
        globIgnores: ['docs.html', 'assets/redoc-*', 'assets/cities-*'],
      },
      manifest: {
        id: '.',
        name: 'Birdhub',
        short_name: 'Birdhub',
        description: 'Which birds came to the feeder',
        start_url: '.',
        scope: '.',
        display: 'standalone',
        background_color: '#f6f7f2',
        theme_color: '#3a7237',
        icons: [
          { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
          { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
          { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
    }),
    compress(),
  ],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Each chunk imports its dependencies itself: a preload list for all pages would be a fifth of the script of the
      // shell.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The code that every page loads is in two files: one changes with the packages, one with the hub.
          groups: [
            { name: 'packages', tags: ['$initial'], test: /node_modules/, priority: 1 },
            { name: 'shell', tags: ['$initial'] },
            { name: 'common', test: commonModules, minShareCount: 2 },
            { name: 'lower-page', test: lowerModules },
            { name: 'sky-card', test: /src\/features\/today\/sky-card|Icon(Sunset|Sunrise)\./ },
            { name: 'cities', test: /virtual:cities/ },
            {
              name: 'alert',
              test: /@mantine\/core\/esm\/components\/(Alert|CloseButton)\//,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': hub, '/data': hub } },
});
