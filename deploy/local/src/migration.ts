import { migrate } from '@birdhub/shared/db';

/** The program that brings a database up to date and prints, as JSON, what it applied. */
const databaseUrl = process.env['DATABASE_URL'];
if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set');
process.stdout.write(JSON.stringify(await migrate(databaseUrl)));
