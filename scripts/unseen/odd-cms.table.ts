import { der, oids } from '../../src/formats/asn1/index.ts';
import { craftCms, crlsOf } from '../../test/support/crafted-cms.ts';
import { attribute, instead, placedAttributes } from '../../test/support/placed-attributes.ts';
import { pki } from '../../test/unit/verify/xml/sign-xml.ts';
import {
  bytesOfTree,
  type CmsTree,
  cmsTreeOf,
  constructed,
  type Element,
  treeOf,
} from './der-tree.ts';
import { cms, type OddForm } from './odd-forms.table.ts';

const content = Buffer.from('Pay 100 to the bearer.\n');
const signer = pki.member('signer');
const { signingTime } = oids;
const time = (text: string) => der.element(0x17, [Buffer.from(text)]);
const atTime = (name: string, ...texts: readonly string[]) => {
  const attributes = instead(signingTime, attribute(signingTime, ...texts.map(time)));
  return cms(`states ${name}`, { attributes });
};

const attributeForms: readonly OddForm[] = [
  ...placedAttributes(pki).map(({ name, by }) => cms(`has ${name}`, by)),
  ...(['signer', 'rsa', 'pss', 'p384'] as const).flatMap((name) =>
    (['sha256', 'sha384', 'sha512'] as const).map((digest) =>
      cms(`by ${name} is digested by ${digest}`, { signer: pki.member(name), digest }),
    ),
  ),
  atTime('a time without seconds', '2606011100Z'),
  atTime('a time without a zone', '260601110000'),
  atTime('a time with an offset', '260601110000+0200'),
];

/** A valid signature with changes to elements that are not signed. */
function edited(name: string, edit: (tree: CmsTree) => void, by = signer): OddForm {
  const whole = { content, embedded: content, signers: [{ signer: by }], crls: crlsOf(pki) };
  return {
    name: `cms ${name}`,
    kind: 'cms',
    make: () => {
      const tree = cmsTreeOf(craftCms(whole));
      edit(tree);
      return bytesOfTree(tree.root);
    },
  };
}

const parametersOf = ({ signers }: CmsTree): Element[] =>
  signers[0]?.signatureAlgorithm.children?.[1]?.children ?? [];
const salt = (...octets: readonly number[]) =>
  treeOf(der.explicit(2, der.element(0x02, [Uint8Array.from(octets)])));
const pss = (name: string, edit: (parameters: Element[]) => void): OddForm =>
  edited(`by RSA-PSS ${name}`, (tree) => edit(parametersOf(tree)), pki.member('pss'));
const version = (value: number): OddForm =>
  edited(`of version ${value}`, ({ fields }) => {
    (fields[0] as Element).content = Uint8Array.of(value);
  });
/**
 * A choice of CertificateChoices other than a certificate.
 *
 * @spec RFC 5652 §10.2.2
 */
const choice = (name: string, tag: number): OddForm =>
  edited(`with ${name}`, ({ certificates }) => {
    const other = treeOf(der.sequence(der.oid('2.999.1'), der.octetString(content)));
    certificates?.children?.push(constructed(tag, other.children ?? []));
  });

const editedForms: readonly OddForm[] = [
  pss('in order', () => undefined),
  pss('with a salt of −1', (list) => list.splice(2, 1, salt(0xff))),
  pss('with a salt of −2', (list) => list.splice(2, 1, salt(0xfe))),
  pss('with two salts', (list) => list.splice(2, 0, salt(20))),
  pss('with another trailer', (list) => list.push(treeOf(der.explicit(3, der.smallInteger(2))))),
  pss('in another order', (list) => list.reverse()),
  ...[0, 3, 4, 5, 6].map(version),
  choice('an attribute certificate', 0xa2),
  choice('an attribute certificate of version 1', 0xa1),
  choice('a certificate of another format', 0xa3),
  edited('in BER with certificates in DER', (tree) => {
    const parts = [tree.root, tree.fields, tree.certificates, tree.signerInfos].flat();
    for (const part of parts) if (part?.children !== undefined) part.isIndefinite = true;
  }),
];

/** CMS with unusual attributes, parameters and choices. */
export const oddCms: readonly OddForm[] = [...attributeForms, ...editedForms];
