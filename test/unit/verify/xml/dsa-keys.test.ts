import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verifyDocument } from '../../../../src/index.ts';

const folder = new URL('../../../../../shared/corpora/santuario/', import.meta.url).pathname;
const present = existsSync(folder);
const examples = 'src/test/resources/ie/baltimore/merlin-examples/merlin-xmldsig-twenty-three/';

describe.skipIf(!present)(
  `bare DSA keys${present ? '' : ' (skipped: ../shared/corpora is absent)'}`,
  () => {
    test.each(['signature-enveloped-dsa.xml', 'signature-enveloping-dsa.xml'])(
      '%s is intact but untrusted',
      async (name) => {
        const bytes = readFileSync(`${folder}${examples}${name}`);
        const at = new Date('2010-01-01');
        const { signatures } = await verifyDocument(bytes, { at });
        expect(signatures[0]).toMatchObject({ intact: true, indication: 'INDETERMINATE' });
        const changed = bytes.toString('latin1').replace(/<Y>\s*\w/, '<Y>z');
        const after = await verifyDocument(Buffer.from(changed, 'latin1'), { at });
        expect(after.signatures[0]?.intact).toBe(false);
      },
    );
  },
);
