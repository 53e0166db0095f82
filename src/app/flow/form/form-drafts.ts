import { sha256Of } from '../../../base/bytes.ts';
import { isRecord } from '../../../base/input.ts';
import { limits } from '../../../base/limits.ts';
import type { QuestionMode } from '../../../domain/flow/index.ts';
import { asKey, type FlowKey } from '../../../domain/keys.ts';
import type { StorePorts, StoreUnit } from '../../ports/index.ts';

/** Notice about the answers on the form's next display: reason of rejection, or what was done. */
interface FormNotice {
  /** Key of the message text. */
  readonly word: string;
  readonly values?: Readonly<Record<string, string | number>>;
  /** Name of the file it concerns. */
  readonly file?: string;
  /** Faults by field id. */
  readonly faults: readonly (readonly [id: string, fault: string])[];
  /** The step that shows it; absent: the whole form. */
  readonly step?: string;
  /** The list that was extended by request, and its number of rows. */
  readonly more?: string;
}

/** Answers that a person has entered but not submitted. */
export interface FormDraft {
  /** Version of the answered questions. */
  readonly version: string;
  readonly mode: QuestionMode;
  /** Idempotency key under which the answers are submitted. */
  readonly once: string;
  /** Answers by id. */
  readonly given: ReadonlyMap<string, string>;
  /** Ids of the steps that were answered, or left empty and passed. */
  readonly passed: ReadonlySet<string>;
  /** Shown until other answers are saved. */
  readonly notice?: FormNotice;
}

/** Key of a draft: a browser has a name, and one draft per flow. */
export interface DraftPlace {
  readonly flowKey: string;
  readonly name: string;
}

/** Stores answers before a form is submitted. */
export interface DraftService {
  find(place: DraftPlace): Promise<FormDraft | undefined>;
  /** Saves the result of `work` for the existing draft; a draft that is too large is not saved. */
  change(
    place: DraftPlace,
    work: (known: FormDraft | undefined) => FormDraft,
  ): Promise<{ readonly draft: FormDraft; readonly isSaved: boolean }>;
  remove(place: DraftPlace): Promise<void>;
}

/** Creates a {@link DraftService} backed by the store: drafts are kept for a day after a change. */
export function draftService({ store, now }: StorePorts): DraftService {
  return {
    async find(place) {
      const kept = await store.read(({ formDrafts }) => formDrafts.find(keyOf(place), now()));
      return kept && parseDraft(kept.text);
    },
    change: (place, work) =>
      store.write(async (unit) => {
        const [key, nowMs, flowKey] = [keyOf(place), now(), asKey('flow', place.flowKey)];
        const known = await unit.formDrafts.lock(key, flowKey, nowMs);
        if (known === undefined) await makeRoom(unit, flowKey, nowMs);
        const draft = work(known && parseDraft(known.text));
        const text = draftText(draft);
        const isSaved = Buffer.byteLength(text) <= limits.formDraftBytes;
        const forgottenAtMs = nowMs + limits.formDraftMs;
        if (isSaved) await unit.formDrafts.save({ key, flowKey, forgottenAtMs, text });
        return { draft, isSaved };
      }),
    remove: (place) => store.write(({ formDrafts }) => formDrafts.remove(keyOf(place))),
  };
}

// A client that starts forms endlessly evicts the flow's oldest drafts; it cannot fill the disk.
async function makeRoom({ formDrafts }: StoreUnit, flowKey: FlowKey, nowMs: number) {
  await formDrafts.removeForgotten(nowMs);
  await formDrafts.removeBeyond(flowKey, limits.formDraftsOfFlow - 1);
}

/** The name itself is not stored in the database. */
function keyOf({ flowKey, name }: DraftPlace): string {
  return sha256Of(`${flowKey} ${name}`);
}

function draftText({ version, mode, once, given, passed, notice }: FormDraft): string {
  return JSON.stringify({ version, mode, once, given: [...given], passed: [...passed], notice });
}

/** Undefined for a draft in a format of another program version. */
function parseDraft(text: string): FormDraft | undefined {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) return undefined;
  const { version, mode, once, given, passed, notice } = value;
  const isWhole = [version, once].every((each) => typeof each === 'string');
  if (!isWhole || !Array.isArray(given) || !Array.isArray(passed)) return undefined;
  return {
    ...{ version: version as string, once: once as string, mode: mode === 'One' ? 'One' : 'All' },
    ...{ given: new Map(given as [string, string][]), passed: new Set(passed as string[]) },
    ...(isNotice(notice) ? { notice } : {}),
  };
}

function isNotice(value: unknown): value is FormNotice {
  return isRecord(value) && typeof value['word'] === 'string' && Array.isArray(value['faults']);
}
