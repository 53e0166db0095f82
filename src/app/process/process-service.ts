import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  type ProcessCommand,
  type SigneeChange,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import type { ProcessFilter, StoredContent } from '../ports/index.ts';
import { readActor, text } from '../request-texts.ts';
import { runCommand, type ServicePorts } from '../service/index.ts';
import { cancelSequence, isStarter } from './cancel-sequence.ts';
import { readFilter, readSigneeRequest } from './check-request.ts';
import { createProcess } from './create-process.ts';
import { buildSignee, readLinkRequest, readSigneeChange } from './create-request.ts';
import { createSequence, type SequenceView } from './create-sequence.ts';
import { requireProcess, requireSequence, requireSequenceView } from './find-process.ts';
import {
  mostSignees,
  requireChannels,
  requireCompanyFlow,
  requireIdentity,
  requireNumber,
} from './new-process.ts';
import { purgeNow } from './purge.ts';
import type { RemovalPorts } from './remove-contents.ts';
import type {
  CreatePorts,
  ProcessRequest,
  SequenceRequest,
  SigneeRequest,
} from './requests.types.ts';
import { type ChangedFrom, updateSignee } from './update-signee.ts';

/** Characters of the reason of a cancellation or suspension at most. */
const REASON_MAX = 2000;

/** Everything that a company can do with its processes and sequences. */
export interface ProcessService {
  /** @throws flow.not_found, 10101, validation.error, pdf.*, key.* */
  create(request: ProcessRequest): Promise<SigningProcess>;
  createSequence(request: SequenceRequest): Promise<SequenceView>;
  /** @throws process.not_found, as all of the following */
  show(key: string): Promise<SigningProcess>;
  showSequence(key: string): Promise<SequenceView>;
  /** Newest first; the first 50 unless `skip` and `take` say otherwise. */
  list(filter?: Partial<Omit<ProcessFilter, 'companyKey'>>): Promise<readonly SigningProcess[]>;
  count(filter?: Omit<ProcessFilter, 'companyKey' | 'skip' | 'take'>): Promise<number>;
  /** Newest first; the first 50 unless it says otherwise. */
  listSequences(page?: Partial<Page>): Promise<readonly SequenceView[]>;
  cancel(key: string, by: string, reason?: string): Promise<SigningProcess>;
  /** @throws sequence.cancel.forbidden for anybody but the starter */
  cancelSequence(key: string, by: string): Promise<SequenceView>;
  block(key: string, by: string, reason?: string): Promise<SigningProcess>;
  unblock(key: string, by: string): Promise<SigningProcess>;
  extend(key: string, expiresAtMs: number, by: string): Promise<SigningProcess>;
  retryFinalize(key: string, by: string): Promise<SigningProcess>;
  /**
   * With `from` 'place' there are bounds, words for messages are refused, and `by` is not
   * believed.
   *
   * @throws signing.forbidden.signee.limit, signing.forbidden.document.signed, error.signee.*
   */
  addSignee(
    key: string,
    signee: SigneeRequest,
    by: string,
    from?: ChangedFrom,
  ): Promise<SigningProcess>;
  /**
   * Members that are left out or empty stay as they are. With `from` 'place' a new mail address
   * does not reach documents of the sequence that ask for a login, there are bounds, and `by` is
   * not believed.
   *
   * @throws validation.error, signing.forbidden.signee.limit
   */
  updateSignee(
    key: string,
    signeeKey: string,
    change: SigneeChange,
    by: string,
    from?: ChangedFrom,
  ): Promise<SigningProcess>;
  /** Sends the invitation again, in the way of the signee. */
  invite(key: string, signeeKey: string, by: string): Promise<SigningProcess>;
  deleteAttachment(key: string, attachmentKey: string, by: string): Promise<SigningProcess>;
  /** Removes contents, messages kept as files and personal data of a process that has ended. */
  purge(key: string, by: string): Promise<SigningProcess>;
  /**
   * The document with the signatures so far.
   *
   * @param process its key, or the process as it was just shown
   * @throws process.file.not_found
   */
  document(process: string | SigningProcess): Promise<Uint8Array>;
  /** The same, to be read in pieces. */
  openDocument(process: string | SigningProcess): Promise<StoredContent>;
  /** An attachment. @throws process.file.not_found */
  attachment(key: string, attachmentKey: string): Promise<Uint8Array>;
  /** The same, to be read in pieces. */
  openAttachment(key: string, attachmentKey: string): Promise<StoredContent>;
}

/** A part of a list. */
export interface Page {
  readonly skip: number;
  readonly take: number;
}

/** What {@link processService} stands on. */
export type ProcessPorts = CreatePorts & RemovalPorts;

/** The processes of one company. */
export function processService(ports: ProcessPorts, companyKey: CompanyKey): ProcessService {
  const show = (key: string) => ports.store.read((unit) => requireProcess(unit, companyKey, key));
  const run = async (key: string, command: ProcessCommand) => {
    const known = await show(key);
    return runCommand(ports, known.key, command, known);
  };
  return {
    create: (request) => createProcess(ports, companyKey, request),
    createSequence: (request) => createSequence(ports, companyKey, request),
    show,
    showSequence: (key) => ports.store.read((unit) => requireSequenceView(unit, companyKey, key)),
    ...listing(ports, companyKey),
    cancel: async (key, user, reason) => {
      const by = readActor(user);
      const command = { type: 'cancel', by, ...readReason(reason) } as const;
      const known = await requireStarter(ports, companyKey, key, by);
      return runCommand(ports, known.key, command, known);
    },
    cancelSequence: (key, by) => cancelSequence(ports, companyKey, key, by),
    block: async (key, by, reason) =>
      run(key, { type: 'block', by: readActor(by), ...readReason(reason) }),
    unblock: async (key, by) => run(key, { type: 'unblock', by: readActor(by) }),
    extend: async (key, expiresAtMs, by) =>
      run(key, { type: 'extend', expiresAtMs, by: readActor(by) }),
    retryFinalize: async (key, by) => run(key, { type: 'retryFinalize', by: readActor(by) }),
    addSignee: (key, signee, by, from) => addSignee(ports, companyKey, key, signee, by, from),
    updateSignee: async (key, signeeKey, wish, user, from = 'company') => {
      const { user: owner, ...change } = readSigneeChange(wish);
      const place = { processKey: (await show(key)).key, signeeKey: asKey('signee', signeeKey) };
      const known = from === 'place' || owner === undefined ? change : { ...change, user: owner };
      return updateSignee(ports, place, known, actorFrom(from, user), from);
    },
    invite: async (key, signeeKey, by) =>
      run(key, { type: 'invite', signeeKey: asKey('signee', signeeKey), by: readActor(by) }),
    deleteAttachment: async (key, attachmentKey, by) =>
      run(key, { type: 'deleteAttachment', attachmentKey, by: readActor(by) }),
    purge: async (key, by) => purgeNow(ports, await show(key), readActor(by)),
    ...reading(ports, show),
  };
}

function reading(
  { blobs }: ProcessPorts,
  show: (key: string) => Promise<SigningProcess>,
): Pick<ProcessService, 'document' | 'openDocument' | 'attachment' | 'openAttachment'> {
  const ofDocument = async (asked: string | SigningProcess) => {
    const process = typeof asked === 'string' ? await show(asked) : asked;
    return requireName(process, process.document?.sha256);
  };
  const ofAttachment = async (key: string, attachmentKey: string) => {
    const process = await show(key);
    const found = process.attachments.find((each) => each.key === attachmentKey);
    return requireName(process, found?.document.sha256);
  };
  return {
    document: async (asked) => blobs.get(await ofDocument(asked)),
    openDocument: async (asked) => blobs.open(await ofDocument(asked)),
    attachment: async (key, id) => blobs.get(await ofAttachment(key, id)),
    openAttachment: async (key, id) => blobs.open(await ofAttachment(key, id)),
  };
}

function listing(
  { store }: ProcessPorts,
  companyKey: CompanyKey,
): Pick<ProcessService, 'list' | 'count' | 'listSequences'> {
  return {
    list: async (filter) => {
      const known = { ...readFilter(filter), companyKey };
      return store.read((unit) => unit.processes.list(known));
    },
    count: async (filter) => {
      const known = { ...readFilter(filter), companyKey };
      return store.read((unit) => unit.processes.count(known));
    },
    listSequences: async (page) => {
      const { skip, take } = readFilter(page);
      return store.read(async (unit) => {
        const found = await unit.sequences.list(companyKey, { skip, take });
        const views: SequenceView[] = [];
        for (const { key } of found) {
          views.push(await requireSequenceView(unit, companyKey, key));
        }
        return views;
      });
    },
  };
}

function readReason(reason: unknown): { readonly reason?: string } {
  const known = text(reason as string | undefined, 'reason', REASON_MAX);
  return known === undefined ? {} : { reason: known };
}

// A document of a sequence belongs to who started the sequence.
async function requireStarter(
  ports: ServicePorts,
  companyKey: CompanyKey,
  key: string,
  by: string,
): Promise<SigningProcess> {
  return ports.store.read(async (unit) => {
    const process = await requireProcess(unit, companyKey, key);
    const { sequenceKey } = process;
    if (sequenceKey === undefined) return process;
    if (isStarter(by, await requireSequence(unit, companyKey, sequenceKey))) return process;
    throw new InnsigliError(
      'sequence.cancel.forbidden',
      `only who started sequence ${sequenceKey} may cancel its documents`,
    );
  });
}

async function addSignee(
  ports: ProcessPorts,
  companyKey: CompanyKey,
  key: string,
  given: SigneeRequest,
  user: string,
  from: ChangedFrom = 'company',
): Promise<SigningProcess> {
  const by = actorFrom(from, user);
  const wish = readSigneeRequest(given);
  const request = from === 'place' ? readLinkRequest(wish) : wish;
  const { process, flow } = await ports.store.read(async (unit) => {
    const found = await requireProcess(unit, companyKey, key);
    return { process: found, ...(await requireCompanyFlow(unit, companyKey, found.flowKey)) };
  });
  // The number is for messages only: others may be added at the same time.
  const signee = buildSignee(request, process.signees.length, flow, ports.random);
  requireIdentity(ports, [signee], false);
  requireChannels(ports, [signee]);
  requireNumber(signee, process.requiresAuth, process.policy.signeeIdentity);
  const { maxAdditionalSignees: mostByLink = limits.linkSignees } = flow.settings;
  const bound = from === 'place' ? { mostByLink } : {};
  const command = { type: 'addSignee', signee, by, most: mostSignees(flow), ...bound } as const;
  return runCommand(ports, process.key, command, process);
}

// Who has a link can say any name: the log would say that the owner did it.
function actorFrom(from: ChangedFrom, user: string): string {
  return from === 'place' ? systemActor : readActor(user);
}

function requireName({ key, purgedAtMs }: SigningProcess, sha256: string | undefined): string {
  if (sha256 !== undefined) return sha256;
  const why = purgedAtMs === undefined ? 'has no such file' : 'was purged: its contents are gone';
  throw new InnsigliError('process.file.not_found', `process ${key} ${why}`);
}
