import { defineConfig } from 'vitest/config';
import { settingsSchema } from './web/build/settings-schema.js';

const resolve = { conditions: ['hub:source', 'node'] };
const ssr = { resolve };
const globalSetup = ['test/support/global-setup.ts'];
const setupFiles = ['test/support/property-seed.ts'];
const everywhere = ['packages', 'services', 'web/src', 'deploy', 'test', 'scripts'];
const files = (suffix: string) => everywhere.map((folder) => `${folder}/**/*${suffix}`);
const ignored = ['**/node_modules/**', '**/dist/**'];
const integration = files('.int.test.ts');
const contract = ['test/contract/**/*.test.ts'];
const e2e = files('.e2e.test.ts');
const fault = files('.fault.test.ts');

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          setupFiles,
          // For the slowest machine under the heaviest load, not for what is tested.
          testTimeout: 90_000,
          include: files('.test.ts'),
          exclude: [...ignored, ...integration, ...contract, ...e2e, ...fault],
        },
      },
      {
        plugins: [settingsSchema()],
        test: {
          name: 'web',
          setupFiles,
          environment: 'happy-dom',
          include: ['web/src/**/*.test.tsx'],
          testTimeout: 90_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'integration',
          setupFiles,
          include: integration,
          exclude: ignored,
          globalSetup,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'contract',
          include: contract,
          exclude: ignored,
          globalSetup,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'e2e',
          include: e2e,
          exclude: ignored,
          globalSetup,
          testTimeout: 480_000,
          hookTimeout: 480_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'fault',
          include: fault,
          exclude: ignored,
          testTimeout: 480_000,
          hookTimeout: 480_000,
        },
      },
    ],
  },
});
