import type { SealPorts } from '../../../src/app/documents/seal-ports.ts';
import { makeTestPki, type TestMemberName, type TestPki } from '../../support/pki.ts';
import { countingRandom, signerOf } from '../../support/sealing.ts';
import { testAuthority } from '../../support/tsa.ts';

/** One PKI per test file, since creating certificates takes a while. */
export const pki: TestPki = makeTestPki();

/** Ports that reach every level in this process. */
export function xmlPorts(member: TestMemberName = 'signer'): SealPorts {
  return {
    signer: signerOf(pki.member(member)),
    authority: testAuthority(pki),
    revocation: pki.revocation,
    anchors: [pki.member('root').certificate],
    now: () => pki.nowMs,
    random,
  };
}

const random = countingRandom();

/** UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

/** Text of UTF-8 bytes. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/**
 * A document with everything canonical forms treat differently. It binds `ds` to another namespace.
 */
export const invoice = `\ufeff<?xml version='1.0' encoding="utf-8" ?>
<!-- before --><?note x?>
<inv:Invoice xmlns:inv="urn:x" xmlns:ds="urn:other" b='2'  a="1" >
  <inv:Line Id="line-1" xml:lang="is">1 &amp; þ\r\n<![CDATA[<2>]]><empty/></inv:Line><ds:Total/>
  <inv:Line ID='line-2'><inv:Note/></inv:Line>
</inv:Invoice >
<!-- after -->
`;

/** The result without the ds:Signature that has the given Id. */
export function withoutSignature(result: Uint8Array, id: string): string {
  const text = textOf(result);
  const start = text.lastIndexOf('<ds:Signature ', text.indexOf(`Id="${id}"`));
  const close = '</ds:Signature>';
  return text.slice(0, start) + text.slice(text.indexOf(close, start) + close.length);
}
