import { InnsigliError } from '../../base/errors.ts';
import {
  integer,
  object,
  oneOf,
  optional,
  orNothing,
  type Read,
  string,
} from '../../base/input.ts';
import type { Company } from '../../domain/company/index.ts';
import { type Flow, flowTypes } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import { processStatuses, type SigningProcess } from '../../domain/process/index.ts';
import type { Sequence } from '../../domain/sequence/index.ts';
import { requireFlow } from '../flow/index.ts';
import { operation } from '../operation.ts';
import type { StoredContent, StoreUnit } from '../ports/index.ts';
import { anyKey } from '../request-texts.ts';
import type { ServicePorts } from '../service/index.ts';
import type { SequenceView } from './create.ts';

/** Documents of a list when nobody says how many. */
const TAKE_UNLESS_SAID = 50;

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
};

type Reading = Pick<ServicePorts, 'store'>;

/** A process, by its key. */
export const show = operation(object({ key: anyKey }), {
  errors: ['process.not_found'],
  run: ({ store }: Reading, companyKey, { key }) =>
    store.read((unit) => requireProcess(unit, companyKey, key)),
});

/** A sequence with its documents. */
export const showSequence = operation(object({ key: anyKey }), {
  errors: ['process.not_found'],
  run: ({ store }: Reading, companyKey, { key }) =>
    store.read((unit) => requireSequenceView(unit, companyKey, key)),
});

/** Processes, newest first: 50 from the first on, unless `skip` and `take` say otherwise. */
export const listProcesses = operation(orNothing(object({ ...filter, ...page })), {
  errors: [],
  run: ({ store }: Reading, companyKey, { skip = 0, take = TAKE_UNLESS_SAID, ...rest }) =>
    store.read((unit) => unit.processes.list({ ...rest, skip, take, companyKey })),
});

/** How many processes there are. */
export const countProcesses = operation(orNothing(object(filter)), {
  errors: [],
  run: ({ store }: Reading, companyKey, asked) =>
    store.read((unit) => unit.processes.count({ ...asked, companyKey })),
});

/** Sequences, newest first: 50 from the first on, unless `skip` and `take` say otherwise. */
export const listSequences = operation(orNothing(object(page)), {
  errors: [],
  run: ({ store }: Reading, companyKey, { skip = 0, take = TAKE_UNLESS_SAID }) =>
    store.read(async (unit) => {
      const views: SequenceView[] = [];
      for (const { key } of await unit.sequences.list(companyKey, { skip, take })) {
        views.push(await requireSequenceView(unit, companyKey, key));
      }
      return views;
    }),
});

/** The process of a company. @throws process.not_found also for a process of another company */
export async function requireProcess(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<SigningProcess> {
  const process = await unit.processes.find(asKey('process', key));
  if (process === undefined || process.companyKey !== companyKey) {
    throw new InnsigliError('process.not_found', `there is no process ${key.slice(0, 40)}`);
  }
  return process;
}

/** The sequence of a company. @throws process.not_found */
export async function requireSequence(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<Sequence> {
  const sequence = await unit.sequences.find(asKey('sequence', key));
  if (sequence?.companyKey === companyKey) return sequence;
  throw new InnsigliError('process.not_found', `there is no sequence ${key.slice(0, 40)}`);
}

/** As {@link requireSequence}, with its documents. */
async function requireSequenceView(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<SequenceView> {
  const sequence = await requireSequence(unit, companyKey, key);
  return { sequence, processes: await unit.processes.findAll(sequence.processKeys) };
}

/** A flow of a company, active or not. @throws flow.not_found */
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

/** The files of the processes of a company. @throws process.not_found, process.file.not_found */
export interface ProcessContents {
  /**
   * The document with the signatures so far.
   *
   * @param process its key, or the process as it was just shown
   */
  document(process: string | SigningProcess): Promise<Uint8Array>;
  /** The same, to be read in pieces. */
  openDocument(process: string | SigningProcess): Promise<StoredContent>;
  /** An attachment. */
  attachment(key: string, attachmentKey: string): Promise<Uint8Array>;
  /** The same, to be read in pieces. */
  openAttachment(key: string, attachmentKey: string): Promise<StoredContent>;
}

/** The files of the processes of `companyKey`. */
export function processContents(
  { store, blobs }: Pick<ServicePorts, 'store' | 'blobs'>,
  companyKey: CompanyKey,
): ProcessContents {
  const show = (key: string) =>
    store.read((unit) => requireProcess(unit, companyKey, anyKey(key, 'key')));
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

function requireName({ key, purgedAtMs }: SigningProcess, sha256: string | undefined): string {
  if (sha256 !== undefined) return sha256;
  const why =
    purgedAtMs === undefined ? 'has no such file' : 'was purged: its documents were removed';
  throw new InnsigliError('process.file.not_found', `process ${key} ${why}`);
}
