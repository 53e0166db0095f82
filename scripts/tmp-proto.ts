import { writeFileSync } from 'node:fs';
import { manySignatures } from '../test/support/many-signatures.ts';
import { makeTestPki } from '../test/support/pki.ts';

const pki = makeTestPki({ nowMs: Date.now() });
writeFileSync('/tmp/speed/bad/root.der', pki.member('root').der);
writeFileSync(
  '/tmp/speed/bad/padded.pdf',
  manySignatures(pki.member('signer'), 4096, 'together', 24_000_000),
);
