import type { AuditedProcess, Vault } from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { attemptAny } from '../../../../base/errors.ts';
import type { ProcessKey } from '../../../../domain/keys.ts';
import type { Attachment, Signee, SigningProcess } from '../../../../domain/process/index.ts';
import { findDecrypted, rowForm } from '../../statements.ts';
import type { ProcessRow } from '../../tables.ts';

const form = rowForm<SigningProcess>()({
  key: 'key',
  companyKey: 'company_key',
  flowKey: 'flow_key',
  flowType: 'flow_type',
  status: 'status',
  phase: 'phase',
  rev: 'rev',
  createdAtMs: 'created_at',
  expiresAtMs: 'expires_at',
  purgedAtMs: 'purged_at',
  user: 'user_email',
  sequenceKey: 'sequence_key',
});

/** Values of a process that are stored in other tables for lookups. */
export interface ProcessLinks {
  /** Lower-case text for substring search, with one line per value. */
  readonly text: string;
  /** Keyed digests of the national numbers. */
  readonly ssnIndexes: readonly string[];
  /** Blobs that it refers to. */
  readonly contents: readonly ContentLink[];
}

/** A reference from a process to a blob. */
export interface ContentLink {
  readonly sha256: string;
  /** 1 for an earlier revision of the document, 0 for any other blob. */
  readonly isRevision: 0 | 1;
  /** Length according to the process. */
  readonly lengthBytes?: number;
}

/** Associated data that binds an encrypted national number to its signee. */
export const ssnContext = (process: string, signee: string) => `process.ssn:${process}:${signee}`;
const loginContext = (process: string, signee: string) => `process.login:${process}:${signee}`;

/** The row of a process, with encrypted national numbers. */
export function processRow(process: SigningProcess, vault: Vault): ProcessRow {
  const { key, signees } = process;
  const sealed = signees.map((signee) => withSsn(signee, key, vault.encrypt));
  return form.row({ ...process, signees: sealed });
}

/** The process of a row, for lists: a national number that cannot be decrypted is omitted. */
export function listedProcessOf(row: ProcessRow, vault: Vault): SigningProcess {
  const decrypt = (text: string, context: string) =>
    findDecrypted(() => vault.decrypt(text, context));
  return processOf(row, { decrypt });
}

/** The process of a row whose content may be arbitrary. */
export function auditedProcess(row: ProcessRow, vault: Vault): AuditedProcess {
  const { key, created_at: createdAtMs } = row;
  const found = { key: key as ProcessKey, createdAtMs };
  const process = attemptAny(() => {
    const read = listedProcessOf(row, vault);
    return isWhole(read) ? read : undefined;
  });
  return { ...found, ...defined({ process }) };
}

/** Whether it has the members that other code reads without checking. */
function isWhole({ signees, attachments, finalization, policy }: SigningProcess): boolean {
  const objects: readonly unknown[] = [finalization, policy, ...signees, ...attachments];
  const isObject = (each: unknown) => typeof each === 'object' && each !== null;
  const isFile = ({ document, fileName, contentType }: Attachment) =>
    isObject(document) && typeof fileName === 'string' && typeof contentType === 'string';
  return objects.every(isObject) && attachments.every(isFile);
}

/** The process of a row. @throws vault.invalid */
export function processOf(
  row: ProcessRow,
  vault: { decrypt(sealed: string, context: string): string | undefined },
): SigningProcess {
  const found = form.value(row);
  const signees = found.signees.map((signee) => withSsn(signee, row.key, vault.decrypt));
  return Object.assign(found, { signees });
}

function withSsn(
  signee: Signee,
  processKey: string,
  change: (text: string, context: string) => string | undefined,
): Signee {
  const { ssn, login, ...rest } = signee;
  if (ssn === undefined && login === undefined) return signee;
  const { key } = signee;
  return {
    ...rest,
    ...defined({
      ssn: ssn === undefined ? undefined : change(ssn, ssnContext(processKey, key)),
      // A number that cannot be decrypted is replaced by an empty one, which matches no one.
      login: login && { ...login, ssn: change(login.ssn, loginContext(processKey, key)) ?? '' },
    }),
  };
}

/** Whether `next` certainly has the same {@link ProcessLinks} as `old`; false is inconclusive. */
export function hasSameLinks(old: SigningProcess, next: SigningProcess): boolean {
  return (
    old.signees === next.signees &&
    old.attachments === next.attachments &&
    old.fileName === next.fileName &&
    old.original?.sha256 === next.original?.sha256 &&
    old.document?.sha256 === next.document?.sha256 &&
    old.finalization.signedSha256 === next.finalization.signedSha256 &&
    old.purgedAtMs === next.purgedAtMs
  );
}

/** The values of a process for lookups and counting. */
export function linksOf(process: SigningProcess, vault: Vault): ProcessLinks {
  const { key, fileName, signees } = process;
  const words = [key, fileName, ...signees.flatMap((s) => [s.name, s.email, s.phoneNumber])];
  const lines = words.filter((word) => word !== undefined && word !== '');
  const numbers = signees.flatMap(({ ssn, login }) => [ssn ?? '', login?.ssn ?? '']);
  const ssns = numbers.filter((ssn) => ssn !== '');
  return {
    text: [...new Set(lines.map((line) => searchable(line as string)))].join('\n'),
    ssnIndexes: [...new Set(ssns.map((ssn) => vault.index(digits(ssn))))],
    contents: contentsOf(process),
  };
}

// A purged process retains digests in its proofs, but needs no blob.
function contentsOf(process: SigningProcess): readonly ContentLink[] {
  const { original, document, attachments, signees, finalization, purgedAtMs } = process;
  if (purgedAtMs !== undefined) return [];
  const stored = [original, document, ...attachments.map((each) => each.document)];
  const current = new Map(stored.flatMap((each) => (each ? [[each.sha256, each]] : [])));
  const seen = signees.flatMap(({ viewedSha256, shownSha256, proof }) => [
    viewedSha256,
    shownSha256,
    proof?.shownSha256,
    proof?.signedSha256,
  ]);
  const revisions = new Set([...seen, finalization.signedSha256].flatMap((each) => each ?? []));
  return [
    ...[...current.values()].map(
      ({ sha256, lengthBytes }) => ({ sha256, isRevision: 0, lengthBytes }) as const,
    ),
    ...[...revisions]
      .filter((each) => !current.has(each))
      .map((sha256) => ({ sha256, isRevision: 1 }) as const),
  ];
}

/** Normalises `text` for storing and searching: lower case, composed accents, no controls. */
export function searchable(text: string): string {
  // PostgreSQL does not accept NUL, and line feeds separate the values of the stored text.
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

/** The digits of a national number that may contain hyphens or spaces. */
export function digits(text: string): string {
  return text.replace(/[\s-]/g, '');
}
