// The minimum for sealing files with plain Node: read, hash, create one signature, write the copy and
// the appended bytes, flush to disk, rename. One buffer, no whole file in memory.
//
//     node raw-file.mjs KEY.pem OUTPUT INPUT        one file
//     node raw-file.mjs KEY.pem OUT-DIR IN-DIR      all files of a folder
import { createHash, createPrivateKey, sign } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const [keyPath, target, input] = process.argv.slice(2);
const key = createPrivateKey(readFileSync(keyPath));
const piece = Buffer.allocUnsafe(1 << 20);
const tail = Buffer.alloc(20_000);

if (statSync(input).isDirectory()) {
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(input)) seal(join(input, name), join(target, name));
} else seal(input, target);

function seal(from, to) {
  const source = openSync(from, 'r');
  const copy = openSync(`${to}.tmp`, 'wx');
  const hash = createHash('sha256');
  for (let count = read(source); count > 0; count = read(source)) {
    const bytes = piece.subarray(0, count);
    hash.update(bytes);
    writeSync(copy, bytes);
  }
  const value = sign('sha256', hash.digest(), key);
  writeSync(copy, Buffer.concat([tail, value]));
  fsyncSync(copy);
  closeSync(copy);
  closeSync(source);
  renameSync(`${to}.tmp`, to);
}

function read(source) {
  return readSync(source, piece, 0, piece.length, null);
}
