import {
  clean,
  type EvidenceBlock,
  identityText,
  methodText,
  rows,
  senderText,
  type Wordbook,
  warnings,
} from './block-texts.ts';
import type { EvidenceRecord, EvidenceSignee } from './record.ts';

/** The first page: the document, its signees, time and means of signing, and the result. */
export function summaryBlocks(record: EvidenceRecord, book: Wordbook): readonly EvidenceBlock[] {
  const { words, time } = book;
  const { process, company, documents, madeAt, signees } = record;
  const { sha256, level } = documents.sealed;
  return [
    { kind: 'title', text: words.title },
    ...(record.isSimulated ? [{ kind: 'warning', text: words.simulated } as const] : []),
    { kind: 'result', text: `${words.result} ${level}` },
    ...rows(
      words.labels,
      {
        fileName: process.fileName,
        sealed: `SHA-256 ${sha256}`,
        company: company.name,
        createdBy: senderText(process),
        madeAt: time(madeAt),
        timeZone: process.timeZone ?? 'UTC',
        checkUrl: record.checkUrl,
      },
      'fact',
    ),
    ...broughtBlocks(process, book),
    { kind: 'heading', text: words.signees },
    ...signees.flatMap((signee) => signeeSummary(signee, book)),
    { kind: 'text', text: words.intro },
    ...(record.copy === undefined ? [] : [{ kind: 'text', text: words.copy } as const]),
  ];
}

/** A document supplied by a customer is marked as not written by the company. */
function broughtBlocks(
  { broughtBy }: EvidenceRecord['process'],
  { words }: Wordbook,
): readonly EvidenceBlock[] {
  if (broughtBy === undefined) return [];
  return [{ kind: 'warning', text: words.brought.replace('{{name}}', () => clean(broughtBy)) }];
}

function signeeSummary(signee: EvidenceSignee, book: Wordbook): readonly EvidenceBlock[] {
  const values = {
    signedAt: book.time(signee.signedAt),
    method: methodText(signee, book),
    identity: identityText(signee, book),
  };
  return [
    { kind: 'name', text: clean(signee.name) },
    ...warnings(signee, book),
    ...rows(book.words.labels, values, 'fact'),
  ];
}
