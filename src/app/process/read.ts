import { InnsigliError } from '../../base/errors.ts';
import {
  anyKey,
  integer,
  object,
  oneOf,
  optional,
  orNothing,
  type Read,
  string,
} from '../../base/input.ts';
import type { Company } from '../../domain/company.ts';
import { type Flow, flowTypes } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import { processStatuses, type SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence.ts';
import { requireFlow } from '../flow/index.ts';
import { operation, useCase } from '../operation.ts';
import type { FilterName, StoreUnit } from '../ports/index.ts';
import { requireProcess, requireSequence } from '../required.ts';
import type { ServicePorts } from '../service/index.ts';

/** A sequence with its documents. */
export interface SequenceView {
  readonly sequence: Sequence;
  readonly processes: readonly SigningProcess[];
}

/** Default number of items in a list. */
const DEFAULT_TAKE = 50;

const epochMs = integer(-8.64e15, 8.64e15);
const keyOf =
  <Kind extends 'process' | 'flow'>(kind: Kind): Read<ReturnType<typeof asKey<Kind>>> =>
  (value, path) =>
    asKey(kind, string(value, path));

const page = { skip: optional(integer(0, 1e9)), take: optional(integer(0, 1e6)) };
const filter = {
  createdFromMs: optional(epochMs),
  createdToMs: optional(epochMs),
  status: optional(oneOf(processStatuses)),
  user: optional(string),
  processKey: optional(keyOf('process')),
  flowKey: optional(keyOf('flow')),
  flowType: optional(oneOf(flowTypes)),
  search: optional(string),
} satisfies Record<FilterName | 'createdFromMs' | 'createdToMs', unknown>;

type Reading = Pick<ServicePorts, 'store'>;

/** Operations that read processes and sequences. */
export const readOperations = {
  /**
   * Returns a process by its key.
   *
   * @example
   * const { status, signees } = await acme.processes.show({ key });
   */
  show: operation(object({ key: anyKey }), {
    errors: ['process.not_found'],
    run: ({ store }: Reading, companyKey, { key }) =>
      store.read((unit) => requireProcess(unit, companyKey, key)),
  }),
  /**
   * Returns a sequence with its documents.
   *
   * @example
   * const sequence = await acme.processes.showSequence({ key });
   */
  showSequence: operation(object({ key: anyKey }), {
    errors: ['process.not_found'],
    run: ({ store }: Reading, companyKey, { key }) =>
      store.read((unit) => requireSequenceView(unit, companyKey, key)),
  }),
  /**
   * Lists processes, newest first: the first 50, unless `skip` and `take` are set.
   *
   * @example
   * const active = await acme.processes.list({ status: 'Active', take: 20 });
   */
  list: operation(orNothing(object({ ...filter, ...page })), {
    errors: [],
    run: ({ store }: Reading, companyKey, { skip = 0, take = DEFAULT_TAKE, ...rest }) =>
      store.read((unit) => unit.processes.list({ ...rest, skip, take, companyKey })),
  }),
  /**
   * Counts processes.
   *
   * @example
   * const count = await acme.processes.count({ status: 'Completed' });
   */
  count: operation(orNothing(object(filter)), {
    errors: [],
    run: ({ store }: Reading, companyKey, asked) =>
      store.read((unit) => unit.processes.count({ ...asked, companyKey })),
  }),
  /**
   * Lists sequences, newest first: the first 50, unless `skip` and `take` are set.
   *
   * @example
   * const sequences = await acme.processes.listSequences({ take: 20 });
   */
  listSequences: operation(orNothing(object(page)), {
    errors: [],
    run: ({ store }: Reading, companyKey, { skip = 0, take = DEFAULT_TAKE }) =>
      store.read(async (unit) => {
        const views: SequenceView[] = [];
        for (const { key } of await unit.sequences.list(companyKey, { skip, take })) {
          views.push(await requireSequenceView(unit, companyKey, key));
        }
        return views;
      }),
  }),
};

/** Like {@link requireSequence}, with the documents. */
async function requireSequenceView(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<SequenceView> {
  const sequence = await requireSequence(unit, companyKey, key);
  return { sequence, processes: await unit.processes.findAll(sequence.processKeys) };
}

/** Returns a flow of the company, active or not. @throws flow.not_found */
export async function requireCompanyFlow(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<{ readonly flow: Flow; readonly company: Company }> {
  const flow = await requireFlow(unit, companyKey, key);
  const company = await unit.companies.find(companyKey);
  if (company !== undefined) return { flow, company };
  throw new InnsigliError('company.not_found', `there is no company ${companyKey}`);
}

type ContentPorts = Pick<ServicePorts, 'store' | 'blobs'>;
/** The key of a process, alone or in an object, or the process as last read. */
type Asked = string | { readonly key: string } | SigningProcess;

const fileErrors = ['process.not_found', 'process.file.not_found'] as const;

/** Operations on a company's process files. @throws process.not_found, process.file.not_found */
export const contentOperations = {
  /**
   * Returns the document with the signatures so far.
   *
   * @example
   * await writeFile('signed.pdf', await acme.processes.document(key));
   */
  document: useCase(fileErrors, async (ports: ContentPorts, companyKey, process: Asked) =>
    ports.blobs.get(await documentName(ports, companyKey, process)),
  ),
  /**
   * Opens the document with the signatures so far, to be read in chunks.
   *
   * @example
   * const content = await acme.processes.openDocument(key);
   */
  openDocument: useCase(fileErrors, async (ports: ContentPorts, companyKey, process: Asked) =>
    ports.blobs.open(await documentName(ports, companyKey, process)),
  ),
  /**
   * Returns an attachment.
   *
   * @example
   * const content = await acme.processes.attachment(key, attachmentKey);
   */
  attachment: useCase(
    fileErrors,
    async (ports: ContentPorts, companyKey, key: string, id: string) =>
      ports.blobs.get(await attachmentName(ports, companyKey, key, id)),
  ),
  /**
   * Opens an attachment, to be read in chunks.
   *
   * @example
   * const attachment = await acme.processes.openAttachment(key, attachmentKey);
   */
  openAttachment: useCase(
    fileErrors,
    async (ports: ContentPorts, companyKey, key: string, id: string) =>
      ports.blobs.open(await attachmentName(ports, companyKey, key, id)),
  ),
};

async function documentName({ store }: Reading, companyKey: CompanyKey, process: Asked) {
  const isShown = typeof process === 'object' && 'status' in process;
  const key = typeof process === 'object' ? process.key : process;
  const shown = isShown
    ? process
    : await store.read((unit) => requireProcess(unit, companyKey, anyKey(key, 'key')));
  return requireName(shown, shown.document?.sha256);
}

async function attachmentName(
  { store }: Reading,
  companyKey: CompanyKey,
  key: string,
  attachmentKey: string,
): Promise<string> {
  const process = await store.read((unit) => requireProcess(unit, companyKey, anyKey(key, 'key')));
  const found = process.attachments.find((each) => each.key === attachmentKey);
  return requireName(process, found?.document.sha256);
}

function requireName({ key, purgedAtMs }: SigningProcess, sha256: string | undefined): string {
  if (sha256 !== undefined) return sha256;
  const why =
    purgedAtMs === undefined ? 'has no such file' : 'was purged: its documents were removed';
  throw new InnsigliError('process.file.not_found', `process ${key} ${why}`);
}
