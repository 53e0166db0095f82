import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  augmentContainer,
  augmentPdf,
  augmentXml,
  type ContainerVerificationReport,
  type ErrorCodeOf,
  type FileObject,
  InnsigliError,
  isInnsigliError,
  type LongTermOptions,
  type PdfVerificationReport,
  type RevocationSource,
  type SealedDocument,
  type SealLevel,
  type SealPdfOptions,
  type Signer,
  sealContainer,
  sealPdf,
  sealXml,
  type TimestampAuthority,
  type VerificationReport,
  verifyDocument,
  type XmlVerificationReport,
} from '../../../src/index.ts';
import type { CompanyService, Innsigli } from '../../../src/toolkit.ts';

// `npm run check` holds the types; each test says something at run time too.
describe('the types of «innsigli»', () => {
  test('each seal and augmentation gives a SealedDocument with the report of its format', () => {
    expectTypeOf(sealPdf).returns.resolves.toEqualTypeOf<SealedDocument<PdfVerificationReport>>();
    expectTypeOf(augmentPdf).returns.resolves.toEqualTypeOf<
      SealedDocument<PdfVerificationReport>
    >();
    expectTypeOf(sealXml).returns.resolves.toEqualTypeOf<SealedDocument<XmlVerificationReport>>();
    expectTypeOf(augmentXml).returns.resolves.toEqualTypeOf<
      SealedDocument<XmlVerificationReport>
    >();
    expectTypeOf(sealContainer).returns.resolves.toEqualTypeOf<
      SealedDocument<ContainerVerificationReport>
    >();
    expectTypeOf(augmentContainer).returns.resolves.toEqualTypeOf<
      SealedDocument<ContainerVerificationReport>
    >();
    expectTypeOf<SealedDocument['bytes']>().toEqualTypeOf<Uint8Array>();
    expect([sealPdf, augmentPdf, sealXml, augmentXml].every((verb) => verb.length === 2)).toBe(
      true,
    );
  });

  test('documents are bytes, and files of containers have a name and bytes', () => {
    expectTypeOf(sealPdf).parameters.toEqualTypeOf<[Uint8Array, SealPdfOptions]>();
    expectTypeOf(augmentPdf).parameters.toEqualTypeOf<[Uint8Array, LongTermOptions]>();
    expectTypeOf<FileObject>().toExtend<{ readonly name: string; readonly content: Uint8Array }>();
    expectTypeOf(verifyDocument).returns.resolves.toEqualTypeOf<VerificationReport>();
    expect(verifyDocument.name).toBe('verifyDocument');
  });

  test('ports are functions, or objects with one', () => {
    expectTypeOf<SealPdfOptions['signer']>().toEqualTypeOf<Signer>();
    expectTypeOf<
      NonNullable<SealPdfOptions['timestampAuthority']>
    >().toEqualTypeOf<TimestampAuthority>();
    expectTypeOf<NonNullable<SealPdfOptions['revocation']>>().toEqualTypeOf<RevocationSource>();
    expectTypeOf<SealLevel>().toEqualTypeOf<'B-B' | 'B-T' | 'B-LT' | 'B-LTA'>();
    expect(sealPdf.constructor.name).toBe('AsyncFunction');
  });
});

describe('the types of errors', () => {
  test('a family narrows the code and the details', () => {
    const error: unknown = new InnsigliError('validation.error', 'name: expected text', {
      details: { field: 'name' },
    });
    if (!isInnsigliError(error, 'validation')) throw new Error('expected validation.error');
    expectTypeOf(error.code).toEqualTypeOf<ErrorCodeOf<'validation'>>();
    expectTypeOf(error.details.field).toExtend<string | undefined>();
    expect(error.details.field).toBe('name');
    expect(isInnsigliError(error, 'pdf')).toBe(false);
    expect(isInnsigliError(error)).toBe(true);
  });

  test('what is no error of innsigli is of no family', () => {
    expect(isInnsigliError(new Error('x'), 'pdf')).toBe(false);
    expect(isInnsigliError({ name: 'InnsigliError', code: 'pdf.notpdf' }, 'pdf')).toBe(false);
  });
});

describe('the types of «innsigli/toolkit»', () => {
  test('operations of a company take one object', () => {
    type Cancel = CompanyService['processes']['cancel'];
    expectTypeOf<Parameters<Cancel>[0]>().toExtend<{ readonly key: string; readonly by: string }>();
    expectTypeOf<Parameters<Cancel>[0]['reason']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Parameters<CompanyService['processes']['list']>>().toExtend<[unknown?]>();
    expectTypeOf<Innsigli['company']>().returns.resolves.toEqualTypeOf<CompanyService>();
    expect(InnsigliError.name).toBe('InnsigliError');
  });
});
