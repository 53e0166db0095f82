import { describe, expect, it } from 'vitest';
import { attempt, attemptAny, InnsigliError } from '../../../src/base/errors.ts';

describe('attempt', () => {
  const codeOf = ({ code }: InnsigliError) => code;

  it('gives what the work gives', () => {
    expect(attempt(() => 7, codeOf)).toBe(7);
  });

  it('gives what is made of an error of ours', () => {
    const work = () => {
      throw new InnsigliError('pdf.signature.none', 'no PDF');
    };
    expect(attempt(work, codeOf)).toBe('pdf.signature.none');
  });

  it('throws any other error', () => {
    const work = () => {
      throw new TypeError('a fault of the program');
    };
    expect(() => attempt(work, codeOf)).toThrow(TypeError);
  });
});

describe('attemptAny', () => {
  it('gives what the work gives', () => {
    expect(attemptAny(() => JSON.parse('{"a":1}'))).toEqual({ a: 1 });
  });

  it('gives nothing for any error', () => {
    const refuse = (error: Error) => () => {
      throw error;
    };
    expect(attemptAny(() => JSON.parse('{'))).toBeUndefined();
    expect(attemptAny(refuse(new InnsigliError('pdf.signature.none', 'no PDF')))).toBeUndefined();
    expect(attemptAny(refuse(new RangeError('too deep')))).toBeUndefined();
  });
});
