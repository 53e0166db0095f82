import { equalBytes } from '../../../base/bytes.ts';
import { attempt } from '../../../base/errors.ts';
import { readCmsFile, splitSignedData } from '../../../formats/cms/index.ts';

/**
 * Whether a CMS file differs from another only by values added to its certificates, revocation data
 * and unsigned attributes: content and signed fields are identical, and nothing was removed.
 */
export function isAugmentedCms(before: Uint8Array, after: Uint8Array): boolean {
  const parts = (file: Uint8Array) => splitSignedData(readCmsFile(file));
  const [old, now] = [before, after].map((file) => attempt(() => parts(file)));
  if (old === undefined || now === undefined) return false;
  if (!equalBytes(old.encapsulated, now.encapsulated)) return false;
  if (!holds(now.certificates, old.certificates) || !holds(now.revocation, old.revocation)) {
    return false;
  }
  if (old.signers.length !== now.signers.length) return false;
  return old.signers.every((signer, index) => {
    const other = now.signers[index];
    if (other === undefined || signer.fields.length !== other.fields.length) return false;
    const isSame = signer.fields.every((field, at) =>
      equalBytes(field, other.fields[at] as Uint8Array),
    );
    return isSame && holds(other.unsignedAttributes, signer.unsignedAttributes);
  });
}

function holds(all: readonly Uint8Array[], some: readonly Uint8Array[]): boolean {
  const known = new Set(all.map(textOf));
  return some.every((value) => known.has(textOf(value)));
}

function textOf(value: Uint8Array): string {
  return Buffer.from(value).toString('latin1');
}
