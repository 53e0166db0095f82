import type { ReportLabel, ReportWords } from '../../base/words/index.ts';
import { shownText } from './shown-text.ts';

/** A label with its value. */
export interface ViewRow {
  readonly label: string;
  readonly text: string;
  /** Digests and names of algorithms, shown in a monospaced font. */
  readonly isCode?: true;
}

/** Creates a row for each value that is not empty. */
export function rowsOf(
  labels: ReportWords['labels'],
  values: { readonly [Label in ReportLabel]?: string | undefined },
  isCode = false,
): readonly ViewRow[] {
  return Object.entries(values).flatMap(([label, value]): ViewRow[] => {
    const text = shownText(value ?? '');
    if (text === '') return [];
    const row = { label: labels[label as ReportLabel], text };
    return [isCode ? { ...row, isCode: true } : row];
  });
}
