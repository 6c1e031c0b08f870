import { defineConfig } from 'prisma/config';

/** For `prisma migrate deploy` by hand; the hub applies the same migrations itself. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
});
