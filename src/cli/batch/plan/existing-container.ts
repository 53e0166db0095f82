import { type ByteSource, equalBytes, wholeBytes } from '../../../base/bytes.ts';
import { attempt } from '../../../base/errors.ts';
import { reachesLevel } from '../../../base/level.ts';
import type { VerificationReport } from '../../../verify/report/index.ts';
import type { loadContainerTools } from '../../../wire/toolkit.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import type { BatchRequest } from '../batch.types.ts';
import { isFailed, notValid, type ResultFacts, reportOn } from './existing-xml.ts';

type Signatures = VerificationReport['signatures'];

/**
 * Checks a container at the path of a result. It must contain the input as its only file or, if the
 * input is a container itself, all of its files, byte for byte; and it must cover them at the
 * level, by an additional signature or by archive time-stamps. Returns the facts for the journal,
 * or why it is not a result.
 *
 * @param name file name of the input, without its folder
 */
export async function checkContainerResult(
  name: string,
  input: ByteSource,
  source: ByteSource,
  { command, container, sealXml, config, timestampOnly }: BatchRequest,
  toolkit: Toolkit,
): Promise<ResultFacts | string> {
  const { loadContainerTools } = await import('../../../wire/toolkit.ts');
  const { givenContainer } = await loadContainerTools();
  const filesOf = (container: ByteSource) => dataFiles(container, givenContainer);
  const earlierFiles = timestampOnly ? undefined : filesOf(input);
  const isNew = earlierFiles === undefined;
  if (isNew && container === undefined && !timestampOnly) return 'does not contain the input';
  const before = earlierFiles ?? new Map([[name, wholeBytes(input)]]);
  const after = filesOf(source);
  if (after === undefined || !holds(after, before)) return 'does not contain the input';
  const signatures = await signaturesOf(toolkit, source);
  if (signatures.some(isFailed)) return notValid;
  if (timestampOnly) {
    const isMade = signatures.some(({ kind, intact }) => kind === 'document-timestamp' && intact);
    return isMade ? { keptBytes: 0 } : 'has no time-stamp';
  }
  if (command === 'archive') {
    const isArchived = signatures.some(({ level }) => level === 'B-LTA');
    const isMore = source.lengthBytes > input.lengthBytes;
    return isArchived && isMore ? { keptBytes: 0 } : 'has no new archive time-stamp';
  }
  const earlier = isNew ? [] : await signaturesOf(toolkit, input);
  const known = new Set(earlier.map(idOf));
  const made = signatures.filter((one) => one.intact && one.kind === 'signature');
  const level = sealXml.level ?? config.level;
  if (made.length <= earlier.filter(({ kind }) => kind === 'signature').length) {
    return 'has no new signature';
  }
  const mine = made.find((one) => !known.has(idOf(one)) && reachesLevel(one.level, level));
  if (mine === undefined) return `does not reach ${level}`;
  const id = 'id' in mine ? mine.id : undefined;
  return { keptBytes: 0, ...(id === undefined ? {} : { signatureId: id }) };
}

function idOf(signature: Signatures[number]): string {
  const file = 'file' in signature ? (signature.file ?? '') : '';
  return `${file} ${'id' in signature ? (signature.id ?? '') : ''}`;
}

/** The data files of a container. Undefined if it is not a container, or malformed. */
function dataFiles(
  source: ByteSource,
  givenContainer: Awaited<ReturnType<typeof loadContainerTools>>['givenContainer'],
): ReadonlyMap<string, Uint8Array> | undefined {
  return attempt(() => {
    const container = givenContainer([{ name: '', content: wholeBytes(source) }]);
    return container && new Map(container.dataFiles.map((file) => [file.name, file.read()]));
  });
}

function holds(
  after: ReadonlyMap<string, Uint8Array>,
  before: ReadonlyMap<string, Uint8Array>,
): boolean {
  if (after.size !== before.size) return false;
  return [...before].every(([name, bytes]) => {
    const found = after.get(name);
    return found !== undefined && equalBytes(found, bytes);
  });
}

async function signaturesOf(toolkit: Toolkit, source: ByteSource): Promise<Signatures> {
  return (await reportOn(toolkit, source))?.signatures ?? [];
}
