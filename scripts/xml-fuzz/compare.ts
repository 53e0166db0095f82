import {
  type CanonicalMethod,
  canonicalBytes,
  canonicalMethods,
  parseXml,
  type XmlDocument,
  type XmlElement,
} from '../../src/formats/xml/index.ts';
import { explainForm, explainVerdict } from './explanations.ts';
import {
  type ForeignDocument,
  type ForeignElement,
  type FormChoice,
  openForeign,
} from './oracle.ts';

/** A difference, with its explanation if there is one. */
export interface Difference {
  readonly what: string;
  /** The known reason. Undefined if there is none, which is a failure. */
  readonly because: string | undefined;
  readonly ours: string;
  readonly theirs: string;
}

/** Result for one document. */
export interface Comparison {
  readonly verdict: 'both' | 'neither' | 'differ';
  /** Number of compared canonical forms. */
  readonly forms: number;
  readonly differences: readonly Difference[];
}

/** An element in both models. */
export type ElementPair = readonly [ours: XmlElement, theirs: ForeignElement];

/** What to compare in addition to the whole document. */
export interface Selection {
  readonly elements: readonly ElementPair[];
  /** Elements to exclude from the document, one at a time. */
  readonly excluded: readonly ElementPair[];
  /** InclusiveNamespaces PrefixLists for the exclusive forms. */
  readonly prefixLists: readonly (readonly string[])[];
}

/** Selects from all elements of a document, root first. */
export type Selector = (elements: readonly ElementPair[]) => Selection;

const methods: readonly CanonicalMethod[] = [...canonicalMethods.values()];

/** Compares our verdict and canonical forms of a document with those of libxml2. */
export function compareDocument(bytes: Uint8Array, select: Selector): Comparison {
  const ours = openOurs(bytes);
  const theirs = openForeign(bytes);
  try {
    if (typeof ours === 'string' || typeof theirs === 'string') {
      if (typeof ours === typeof theirs) return { verdict: 'neither', forms: 0, differences: [] };
      const messages = {
        ours: typeof ours === 'string' ? ours : 'accepted',
        theirs: typeof theirs === 'string' ? theirs : 'accepted',
      };
      const because = explainVerdict(messages, bytes);
      const difference = { what: 'verdict', because, ...messages };
      return { verdict: 'differ', forms: 0, differences: [difference] };
    }
    return { verdict: 'both', ...compareForms(ours, theirs, select) };
  } finally {
    if (typeof theirs !== 'string') theirs.dispose();
  }
}

/** @throws errors without a code: these are failures, whatever libxml2 reports */
function openOurs(bytes: Uint8Array): XmlDocument | string {
  return codeOr(() => parseXml(bytes));
}

function codeOr<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (typeof code === 'string' && code.startsWith('xml.')) return `${code}: ${message}`;
    throw error;
  }
}

function compareForms(ours: XmlDocument, theirs: ForeignDocument, select: Selector) {
  const differences: Difference[] = [];
  let count = 0;
  const compare = (what: string, form: () => Uint8Array, foreignForm: () => Uint8Array) => {
    count++;
    const mine = codeOr(form);
    const foreign = messageOr(foreignForm);
    if (typeof mine === 'string' && typeof foreign === 'string') return;
    if (typeof mine !== 'string' && typeof foreign !== 'string') {
      if (Buffer.compare(mine, foreign) === 0) return;
    }
    const forms = { ours: textOf(mine), theirs: textOf(foreign) };
    differences.push({ what, because: explainForm(forms, ours.bytes), ...forms });
  };
  const { elements, excluded, prefixLists } = select(elementPairs(ours, theirs));
  for (const choice of formsOf(prefixLists)) {
    const { method, prefixList = [] } = choice;
    const shown = `${method} [${prefixList}]`;
    compare(
      `document, ${shown}`,
      () => canonicalBytes(ours, method, { prefixList }),
      () => theirs.canonicalDocument(choice),
    );
    for (const [element, foreign] of elements) {
      compare(
        `element ${element.index}, ${shown}`,
        () => canonicalBytes(element, method, { prefixList }),
        () => theirs.canonicalElement(foreign, choice),
      );
    }
    for (const [element, foreign] of excluded) {
      compare(
        `document without ${element.index}, ${shown}`,
        () => canonicalBytes(ours, method, { prefixList, exclude: [element] }),
        () => theirs.canonicalDocument(choice, foreign),
      );
    }
  }
  return { forms: count, differences };
}

function formsOf(prefixLists: readonly (readonly string[])[]): readonly FormChoice[] {
  return methods.flatMap((method): FormChoice[] =>
    method.startsWith('exc')
      ? prefixLists.map((prefixList) => ({ method, prefixList }))
      : [{ method }],
  );
}

function messageOr<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}

function textOf(form: Uint8Array | string): string {
  return typeof form === 'string' ? form : Buffer.from(form).toString('utf8');
}

/** Pairs the elements of a document in both models, in document order. */
function elementPairs(ours: XmlDocument, theirs: ForeignDocument): readonly ElementPair[] {
  const elements = elementsOf(ours.root);
  const foreign = theirs.elements();
  if (elements.length !== foreign.length) throw new Error('the number of elements differs');
  return elements.map((element, index) => [element, foreign[index]!]);
}

function elementsOf(root: XmlElement): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    elements.push(next);
    open.push(...next.children.toReversed());
  }
  return elements;
}
