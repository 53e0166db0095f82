/** Printed content of pages, determined without a viewer. */
export type { PrintedPage } from './printed-page.ts';
export { type PageView, readPrinted } from './read-printed.ts';
export { type PrintBudget, printBudget } from './work.ts';
