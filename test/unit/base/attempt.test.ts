import { describe, expect, it } from 'vitest';
import { attempt, attemptAny, InnsigliError } from '../../../src/base/errors.ts';

describe('attempt', () => {
  const codeOf = ({ code }: InnsigliError) => code;

  it('returns the result of the function', () => {
    expect(attempt(() => 7, codeOf)).toBe(7);
  });

  it('returns the mapped value for an InnsigliError', () => {
    const work = () => {
      throw new InnsigliError('pdf.signature.none', 'no PDF');
    };
    expect(attempt(work, codeOf)).toBe('pdf.signature.none');
  });

  it('rethrows any other error', () => {
    const work = () => {
      throw new TypeError('a fault of the program');
    };
    expect(() => attempt(work, codeOf)).toThrow(TypeError);
  });
});

describe('attemptAny', () => {
  it('returns the result of the function', () => {
    expect(attemptAny(() => JSON.parse('{"a":1}'))).toEqual({ a: 1 });
  });

  it('returns undefined for any error', () => {
    const refuse = (error: Error) => () => {
      throw error;
    };
    expect(attemptAny(() => JSON.parse('{'))).toBeUndefined();
    expect(attemptAny(refuse(new InnsigliError('pdf.signature.none', 'no PDF')))).toBeUndefined();
    expect(attemptAny(refuse(new RangeError('too deep')))).toBeUndefined();
  });
});
