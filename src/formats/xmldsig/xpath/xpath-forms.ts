import type { XmlElement } from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import { unsupported } from '../referenced-data.ts';
import { readXPathTokens } from './xpath-tokens.ts';

/** Remainder of a node-set after an accepted XPath expression. */
export type XPathForm = 'own signature' | 'all signatures' | XPathNames;

/** Subtrees by the names of their elements, as {@link readXPathTokens} writes them. */
export interface XPathNames {
  /** Left out. */
  readonly without: readonly string[];
  /** Elements outside of all of these are left out too; empty without such a condition. */
  readonly within: readonly string[];
}

const all = 'ancestor-or-self :: ds:Signature';
const own = 'here ( ) / ancestor :: ds:Signature [ 1 ]';
const quotes = ["'", '"'] as const;
/** Without an argument and with that of the node itself. */
const calls = ['( )', '( . )'] as const;
const localNames = calls.flatMap((call) =>
  quotes.map((quote) => `local-name ${call} = ${quote}Signature${quote}`),
);
const uris = calls.flatMap((call) =>
  quotes.map((quote) => `namespace-uri ${call} = ${quote}${namespaces.dsig}${quote}`),
);
const anyPrefix = (test: string) => `not ( ancestor-or-self :: * [ ${test} ] )`;

/** Accepted expressions, a space between tokens; `ds:` is any prefix of that namespace. */
const forms: ReadonlyMap<string, XPathForm> = new Map([
  [`not ( ${all} )`, 'all signatures'],
  ...localNames.flatMap((name) =>
    uris.flatMap((uri): [string, XPathForm][] => [
      [anyPrefix(`${name} and ${uri}`), 'all signatures'],
      [anyPrefix(`${uri} and ${name}`), 'all signatures'],
    ]),
  ),
  [`count ( ${all} | ${own} ) > count ( ${all} )`, 'own signature'],
  [`count ( ${own} | ${all} ) > count ( ${all} )`, 'own signature'],
]);

/**
 * The remainder after an XPath transform. Only expressions that keep or leave out whole subtrees by
 * the names of their elements are accepted: the signed content must be visible without evaluating a
 * program of the signer.
 *
 *     condition and condition …
 *     condition   ancestor-or-self::NAME   not( ancestor-or-self::NAME or … )
 *
 * @throws xml.signature.invalid for every other expression
 * @spec XML-Signature Syntax and Processing 1.1 §6.6.3
 */
export function readXPathForm(expression: XmlElement): XPathForm {
  const tokens = readXPathTokens(expression);
  const form = forms.get(tokens.join(' ')) ?? readNames(tokens);
  if (form === undefined) throw unsupported('an XPath that does more than select by names');
  return form;
}

/** Conditions of one expression that are read. */
const MAX_CONDITIONS = 16;

function readNames(tokens: readonly string[]): XPathNames | undefined {
  const without: string[] = [];
  const within: string[] = [];
  let at = 0;
  const readTest = (): string | undefined => {
    const [axis, colons, name = ''] = tokens.slice(at, at + 3);
    if (axis !== 'ancestor-or-self' || colons !== '::' || !elementName.test(name)) return undefined;
    at += 3;
    return name;
  };
  for (let count = 0; count < MAX_CONDITIONS; count++) {
    if (tokens[at] === 'not' && tokens[at + 1] === '(') {
      at += 1;
      do {
        at += 1;
        const name = readTest();
        if (name === undefined) return undefined;
        without.push(name);
      } while (tokens[at] === 'or' || tokens[at] === '|');
      if (tokens[at] !== ')') return undefined;
      at += 1;
    } else {
      const name = readTest();
      if (name === undefined) return undefined;
      within.push(name);
    }
    if (at === tokens.length) return { without, within };
    if (tokens[at] !== 'and') return undefined;
    at += 1;
  }
  return undefined;
}

/** Not `*`, and no function or operator. */
const elementName = /^(?:ds:|\{.*\})?[\p{L}_][\p{L}\p{N}._-]*$/u;
