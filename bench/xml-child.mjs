// One contender of the XML rates in a separate process:
//
//     node xml-child.mjs CONTENDER sign|verify|both SIZE KEY-KIND FOLDER
import { createPublicKey } from 'node:crypto';
import { sealXml, verifyDocument } from 'innsigli';
import { serveRounds } from './apart.mjs';
import { openMaterial } from './material.mjs';
import { orderDocument } from './xml-inputs.mjs';
import { libxml2Peer, rawPeer, xmldsigjsPeer } from './xml-peers.mjs';

const [name, operation, size, kind, directory] = process.argv.slice(2);
const { keys, signers, trust } = await openMaterial(directory);
const { privateKey } = keys[kind];
const pair = { privateKey, publicKey: createPublicKey(privateKey) };
const document = orderDocument(Number(size));

const contenders = {
  raw: rawPeer,
  libxml2: libxml2Peer,
  xmldsigjs: xmldsigjsPeer,
  innsigli: () => ({
    async sign(bytes) {
      const options = { signer: signers[kind], level: 'B-B', trust };
      return (await sealXml(bytes, options)).bytes;
    },
    async verify(bytes) {
      const { indication } = await verifyDocument(bytes, { trust, revocationMode: 'ignore' });
      if (indication !== 'TOTAL-PASSED') throw new Error(indication);
    },
  }),
};
const peer = await contenders[name](pair);
const signed = await peer.sign(document);
const works = {
  sign: () => peer.sign(document),
  verify: () => peer.verify(signed),
  both: () => peer.verify(peer.sign(document)),
};
await serveRounds(works[operation]);
process.exit();
