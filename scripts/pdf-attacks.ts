// Writes the attacks on signed PDFs by later changes, and their controls, for foreign judges: node
// scripts/run-ts.mjs scripts/pdf-attacks.ts FOLDER
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attacks } from '../test/attacks/pdf-changes/attacks.table.ts';
import { controls } from '../test/attacks/pdf-changes/controls.table.ts';
import {
  type Permission,
  pki,
  type Shape,
  signedDocument,
} from '../test/attacks/pdf-changes/documents.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected a folder');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'root.der'), pki.member('root').der);

const shapes: readonly Shape[] = ['table', 'streams'];
const permissions: readonly Permission[] = ['none', 1, 2, 3];
const rows: object[] = [];
const write = (name: string, bytes: Uint8Array, more: object) => {
  const file = `${name.replaceAll(/[^a-zA-Z0-9]+/g, '-')}.pdf`;
  writeFileSync(join(folder, file), bytes);
  rows.push({ file, ...more });
};

for (const shape of shapes) {
  for (const permission of permissions) {
    for (const [group, list] of Object.entries(attacks)) {
      for (const { name, make, under = permissions, shape: only = shape, signed } of list) {
        if (!under.includes(permission) || only !== shape) continue;
        const document = await (signed ?? signedDocument)(shape, permission);
        const title = `${group} ${name} ${shape} p${permission}`;
        const { judged } = document;
        write(title, make(document), { group, name, shape, permission, judged, isAttack: true });
      }
    }
    for (const { name, make, under = permissions, clause, signed } of controls) {
      if (!under.includes(permission)) continue;
      const document = await (signed ?? signedDocument)(shape, permission);
      const { judged } = document;
      const row = { group: 'controls', name, shape, permission, judged, clause };
      write(`control ${name} ${shape} p${permission}`, make(document), row);
    }
  }
}
writeFileSync(
  join(folder, 'rows.json'),
  JSON.stringify({ at: new Date(pki.nowMs), rows }, null, 1),
);
console.log(`${rows.length} files in ${folder}`);
