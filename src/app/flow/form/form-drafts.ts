import { sha256Of } from '../../../base/bytes.ts';
import { isRecord } from '../../../base/input.ts';
import { limits } from '../../../base/limits.ts';
import type { QuestionMode } from '../../../domain/flow/index.ts';
import { asKey, type FlowKey } from '../../../domain/keys.ts';
import type { StorePorts, StoreUnit } from '../../ports/index.ts';

/** What a form says of answers when it is next shown: why they were refused, or what was done. */
interface FormNotice {
  /** Name of the sentence. */
  readonly word: string;
  readonly values?: Readonly<Record<string, string | number>>;
  /** Name of the file that it is about. */
  readonly file?: string;
  /** What is wrong, by the ids of fields. */
  readonly faults: readonly (readonly [id: string, fault: string])[];
  /** The step that says it; without one, the whole form. */
  readonly step?: string;
  /** The list that was asked to have more rows, and how many. */
  readonly more?: string;
}

/** What somebody has filled in and not sent. */
export interface FormDraft {
  /** Version of the questions that were answered. */
  readonly version: string;
  readonly mode: QuestionMode;
  /** Name under which the answers are taken once. */
  readonly once: string;
  /** Answers by their ids. */
  readonly given: ReadonlyMap<string, string>;
  /** Ids of the steps that were answered, or left empty and passed. */
  readonly passed: ReadonlySet<string>;
  /** What is said of them until others are saved. */
  readonly notice?: FormNotice;
}

/** The place of a draft: the browser has a name, and one draft for each flow. */
export interface DraftPlace {
  readonly flowKey: string;
  readonly name: string;
}

/** Answers that are saved before a form is sent. */
export interface DraftService {
  find(place: DraftPlace): Promise<FormDraft | undefined>;
  /**
   * Saves what `work` makes of the draft that is there; of a draft that is too large nothing is
   * saved.
   */
  change(
    place: DraftPlace,
    work: (known: FormDraft | undefined) => FormDraft,
  ): Promise<{ readonly draft: FormDraft; readonly isSaved: boolean }>;
  remove(place: DraftPlace): Promise<void>;
}

/** {@link DraftService} over the store: a draft is kept for a day after its last change. */
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

// Whoever begins forms without end pushes out the oldest of the flow, and fills no disk.
async function makeRoom({ formDrafts }: StoreUnit, flowKey: FlowKey, nowMs: number) {
  await formDrafts.removeForgotten(nowMs);
  await formDrafts.removeBeyond(flowKey, limits.formDraftsOfFlow - 1);
}

/** The name itself is nowhere in the database. */
function keyOf({ flowKey, name }: DraftPlace): string {
  return sha256Of(`${flowKey} ${name}`);
}

function draftText({ version, mode, once, given, passed, notice }: FormDraft): string {
  return JSON.stringify({ version, mode, once, given: [...given], passed: [...passed], notice });
}

/** A draft that another version of the program has written, and that cannot be read, is none. */
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
