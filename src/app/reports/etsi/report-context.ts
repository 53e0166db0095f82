import type { ReportedDocument } from '../report-view.ts';
import type { ObjectList } from './object-list.ts';

/** What the parts of one report share. */
export interface ReportContext {
  readonly objects: ObjectList;
  readonly document: ReportedDocument;
  readonly verifiedAt: string;
}
