// A peer signs or verifies one XML file:
//
//     node xml-file.mjs raw|libxml2|xmldsigjs KEY.pem INPUT [OUTPUT]
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const [name, keyPath, input, output] = process.argv.slice(2);
const privateKey = createPrivateKey(readFileSync(keyPath));
const { libxml2Peer, rawPeer, xmldsigjsPeer } = await import('./xml-peers.mjs');
const peers = { raw: rawPeer, libxml2: libxml2Peer, xmldsigjs: xmldsigjsPeer };
const peer = await peers[name]({ privateKey, publicKey: createPublicKey(privateKey) });
const bytes = readFileSync(input);
if (output === undefined) await peer.verify(bytes);
else writeFileSync(output, await peer.sign(bytes));
