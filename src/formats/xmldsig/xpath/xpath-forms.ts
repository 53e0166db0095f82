import type { XmlElement } from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import { unsupported } from '../referenced-data.ts';
import { readXPathTokens } from './xpath-tokens.ts';

/** What the accepted XPath expressions leave out of a node-set. */
export type XPathForm = 'own signature' | 'all signatures';

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
 * What an XPath transform leaves out. Only expressions that keep everything except signatures are
 * accepted: what is signed must be seen without evaluating a program of the signer.
 *
 * @throws xml.signature.invalid for every other expression
 * @spec XML-Signature Syntax and Processing 1.1 §6.6.3
 */
export function readXPathForm(expression: XmlElement): XPathForm {
  const form = forms.get(readXPathTokens(expression).join(' '));
  if (form === undefined) throw unsupported('an XPath that does more than exclude signatures');
  return form;
}
