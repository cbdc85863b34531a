import { createRequire } from 'node:module';
import type * as Core from 'drizzle-orm';
import type * as Driver from 'drizzle-orm/better-sqlite3';
import type * as Migrator from 'drizzle-orm/better-sqlite3/migrator';
import type * as Migrations from 'drizzle-orm/migrator';
import type * as Tables from 'drizzle-orm/sqlite-core';

/*
 * drizzle is loaded as CommonJS. As ES modules, Node parses its large package.json for each of hundreds of files: half
 * a second and 150 MB per start.
 */
const load = createRequire(import.meta.url);
const core = load('drizzle-orm') as typeof Core;
const tables = load('drizzle-orm/sqlite-core') as typeof Tables;

export const { and, asc, countDistinct, desc, eq, exists, getTableColumns, gt, gte, inArray, is } = core;
export const { Param, Placeholder, isNotNull, isNull, lt, lte, ne, not, notInArray, or, sql } = core;
export const { alias, blob, customType, index, integer, primaryKey, sqliteTable, text, uniqueIndex } = tables;
export const { drizzle } = load('drizzle-orm/better-sqlite3') as typeof Driver;
export const { migrate } = load('drizzle-orm/better-sqlite3/migrator') as typeof Migrator;
export const { readMigrationFiles } = load('drizzle-orm/migrator') as typeof Migrations;
