import type { XmlElement } from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import { unsupported } from '../referenced-data.ts';
import { readXPathTokens } from './xpath-tokens.ts';

/** What the accepted XPath expressions leave out of a node-set. */
export type XPathForm = 'own signature' | 'all signatures';

const all = 'ancestor-or-self :: ds:Signature';
const own = 'here ( ) / ancestor :: ds:Signature [ 1 ]';
const localName = (quote: string) => `local-name ( ) = ${quote}Signature${quote}`;
const uri = (quote: string) => `namespace-uri ( ) = ${quote}${namespaces.dsig}${quote}`;
const anyPrefix = (test: string) => `not ( ancestor-or-self :: * [ ${test} ] )`;

/** Accepted expressions, a space between tokens; `ds:` is any prefix of that namespace. */
const forms: ReadonlyMap<string, XPathForm> = new Map([
  [`not ( ${all} )`, 'all signatures'],
  ...["'", '"'].flatMap((quote): [string, XPathForm][] => [
    [anyPrefix(`${localName(quote)} and ${uri(quote)}`), 'all signatures'],
    [anyPrefix(`${uri(quote)} and ${localName(quote)}`), 'all signatures'],
  ]),
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
