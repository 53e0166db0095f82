import {
  integer,
  object,
  oneOf,
  optional,
  orNothing,
  type Read,
  string,
} from '../../base/input.ts';
import { flowTypes } from '../../domain/flow/index.ts';
import { asKey } from '../../domain/keys.ts';
import { processStatuses } from '../../domain/process/index.ts';
import { operation } from '../operation.ts';
import { anyKey } from '../request-texts.ts';
import type { ServicePorts } from '../service/index.ts';
import type { SequenceView } from './create-sequence.ts';
import { requireProcess, requireSequenceView } from './find-process.ts';

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
