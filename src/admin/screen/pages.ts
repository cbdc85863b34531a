import { OVERVIEW } from './overview.ts';
import type { Page } from './page.ts';

/** Every page of the screen. */
export const PAGES: readonly Page[] = [OVERVIEW];
