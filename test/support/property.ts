/**
 * Property tests with the same cases in each run, so that failures are reproducible: FC_SEED=N
 * draws others.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? '20260302') });

/**
 * Any character except a lone surrogate, as the unit of a string. It draws like `binary`, which
 * takes a second to build a table of all characters.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - 0x800 }).map(
  (at) => String.fromCodePoint(at < 0xd800 ? at : at + 0x800),
  (character) => {
    if (typeof character !== 'string' || [...character].length !== 1) throw new Error('one');
    const at = character.codePointAt(0) as number;
    if (at >= 0xd800 && at < 0xe000) throw new Error('half of a pair');
    return at < 0xd800 ? at : at - 0x800;
  },
);

export { fc };
