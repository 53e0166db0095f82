/**
 * In the fast project hashing a passcode costs a sixteenth: it is frequent, and takes a twentieth
 * of a second. The cost for an attacker is tested in the slow project
 * (`passcode-cost.slow.test.ts`).
 */
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: Buffer) => void;

const CHEAP: ScryptOptions = { N: 1024 };
const replaced = Symbol.for('innsigli.test.cheap-scrypt');
const { scrypt } = crypto;

// Shared by the files of one process.
if (!Object.hasOwn(scrypt, replaced)) {
  const cheap = (
    password: BinaryLike,
    salt: BinaryLike,
    lengthBytes: number,
    given: ScryptOptions | Done,
    done?: Done,
  ) =>
    typeof given === 'function'
      ? scrypt(password, salt, lengthBytes, CHEAP, given)
      : scrypt(password, salt, lengthBytes, given, done as Done);
  Object.assign(crypto, { scrypt: Object.assign(cheap, { [replaced]: true }) });
  syncBuiltinESMExports();
}
