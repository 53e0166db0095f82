import type { ReportedDocument } from '../report-view.ts';
import type { ObjectList } from './object-list.ts';

/** Shared state of the parts of one report. */
export interface ReportContext {
  readonly objects: ObjectList;
  readonly document: ReportedDocument;
  readonly verifiedAt: string;
  /** Remaining number of object references: signatures and objects multiply. */
  readonly relations: { left: number };
}

/** As many of the items as the remaining number of references allows. */
export function related<Item>(
  items: readonly Item[],
  { relations }: ReportContext,
): readonly Item[] {
  const taken = items.slice(0, Math.max(0, relations.left));
  relations.left -= taken.length;
  return taken;
}
