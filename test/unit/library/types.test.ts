import { describe, expect, expectTypeOf, test } from 'vitest';
import { defined } from '../../../src/base/defined.ts';
import {
  augmentContainer,
  augmentPdf,
  augmentXml,
  type ContainerVerificationReport,
  type ErrorCode,
  type ErrorCodeOf,
  type ErrorDetails,
  type FileObject,
  InnsigliError,
  isInnsigliError,
  type LocalTimestampOptions,
  type LongTermOptions,
  type PdfVerificationReport,
  type RevocationSource,
  type SealContainerOptions,
  type SealedDocument,
  type SealLevel,
  type SealPdfOptions,
  type SealXmlOptions,
  type Signer,
  sealContainer,
  sealPdf,
  sealXml,
  type TimestampAuthority,
  type VerificationReport,
  type VerifyOptions,
  type VisibleSeal,
  verifyDocument,
  type XmlVerificationReport,
} from '../../../src/index.ts';
import { buildServer } from '../../../src/server.ts';
import {
  type CompanyService,
  type DevelopmentTrustOptions,
  type Innsigli,
  type InnsigliIo,
  type JobKind,
  openInnsigli,
  type SigningProcess,
  type WorkReport,
} from '../../../src/toolkit.ts';

// `npm run check` verifies the types; each test also asserts something at run time.
describe('the types of «innsigli»', () => {
  test('sealing and augmenting return a SealedDocument with the report of the format', () => {
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

  test('ports are functions or objects with one function', () => {
    expectTypeOf<SealPdfOptions['signer']>().toEqualTypeOf<Signer>();
    expectTypeOf<
      NonNullable<SealPdfOptions['timestampAuthority']>
    >().toEqualTypeOf<TimestampAuthority>();
    expectTypeOf<NonNullable<SealPdfOptions['revocation']>>().toEqualTypeOf<RevocationSource>();
    expectTypeOf<SealLevel>().toEqualTypeOf<'B-B' | 'B-T' | 'B-LT' | 'B-LTA'>();
    expect(sealPdf.constructor.name).toBe('AsyncFunction');
  });
});

describe('option types of «innsigli»', () => {
  test('use the terms of the field', () => {
    expectTypeOf<SealContainerOptions['container']>().toEqualTypeOf<
      'asic-s' | 'asic-e' | undefined
    >();
    expectTypeOf<SealContainerOptions['format']>().toEqualTypeOf<'xades' | 'cades' | undefined>();
    expectTypeOf<SealXmlOptions>().toHaveProperty('parent');
    expectTypeOf<SealXmlOptions['encoding']>().toEqualTypeOf<'xml' | 'base64' | undefined>();
    expectTypeOf<VisibleSeal>().toHaveProperty('template');
    expectTypeOf<VisibleSeal['startAt']>().toEqualTypeOf<'top' | 'bottom' | undefined>();
    const options: Partial<SealContainerOptions> = { container: 'asic-s', format: 'cades' };
    // @ts-expect-error: a mistyped option is none
    const mistyped: Partial<SealContainerOptions> = { contaner: 'asic-s' };
    expect([options, mistyped]).toHaveLength(2);
  });

  test('use Date for times and clocks', () => {
    type Clock = (() => Date) | undefined;
    expectTypeOf<VerifyOptions['at']>().toEqualTypeOf<Date | undefined>();
    expectTypeOf<LongTermOptions['now']>().toEqualTypeOf<Clock>();
    expectTypeOf<LocalTimestampOptions['now']>().toEqualTypeOf<Clock>();
    expectTypeOf<InnsigliIo['now']>().toEqualTypeOf<Clock>();
    expectTypeOf<DevelopmentTrustOptions['now']>().toEqualTypeOf<Clock>();
    expect(new Date(0).getTime()).toBe(0);
  });
});

describe('error types', () => {
  test('narrow code and details by the family', () => {
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

  test('narrow details by the code', () => {
    expectTypeOf<ErrorDetails<'validation.error'>['field']>().toExtend<string | undefined>();
    expectTypeOf<ErrorCodeOf<'tsa'>>().toExtend<`tsa.${string}`>();
    expectTypeOf<'pdf.notpdf'>().toExtend<ErrorCode>();
    expectTypeOf<'pdf.unheard'>().not.toExtend<ErrorCode>();
    expect(() => {
      throw new InnsigliError('pdf.notpdf', 'no PDF');
    }).toThrow(InnsigliError);
  });

  test('assign a foreign error to no family', () => {
    expect(isInnsigliError(new Error('x'), 'pdf')).toBe(false);
    expect(isInnsigliError({ name: 'InnsigliError', code: 'pdf.notpdf' }, 'pdf')).toBe(false);
  });
});

describe('the types of «innsigli/toolkit»', () => {
  test('company operations take one object', () => {
    type Cancel = CompanyService['processes']['cancel'];
    expectTypeOf<Parameters<Cancel>[0]>().toExtend<{ readonly key: string; readonly by: string }>();
    expectTypeOf<Parameters<Cancel>[0]['reason']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Parameters<CompanyService['processes']['list']>>().toExtend<[unknown?]>();
    expectTypeOf<Innsigli['company']>().returns.resolves.toEqualTypeOf<CompanyService>();
    expect(InnsigliError.name).toBe('InnsigliError');
  });

  test('one object provides companies, jobs and documents', () => {
    expectTypeOf(openInnsigli).returns.toEqualTypeOf<Innsigli>();
    expectTypeOf(buildServer).parameter(0).toEqualTypeOf<Innsigli>();
    expectTypeOf<Innsigli['runDueJobs']>().returns.resolves.toEqualTypeOf<WorkReport>();
    expectTypeOf<Innsigli['runDueJobs']>()
      .parameter(0)
      .toEqualTypeOf<readonly JobKind[] | undefined>();
    type Created = ReturnType<CompanyService['processes']['create']>;
    expectTypeOf<Created>().resolves.toEqualTypeOf<SigningProcess>();
    expect(openInnsigli.length).toBe(0);
  });

  test('sealing a source returns the same SealedDocument', () => {
    expectTypeOf<Innsigli['seal']>().returns.resolves.toEqualTypeOf<SealedDocument>();
    expectTypeOf<Innsigli['augment']>().returns.resolves.toEqualTypeOf<SealedDocument>();
    expect(openInnsigli.name).toBe('openInnsigli');
  });
});

describe('defined', () => {
  interface Wanted {
    readonly level?: number;
    readonly reason?: string;
  }
  const level = undefined as number | undefined;

  test('omits members without a value', () => {
    const found: Wanted = defined({ level, reason: 'Approved' });
    expect(found).toEqual({ reason: 'Approved' });
    expect(Object.keys(found)).toEqual(['reason']);
  });

  test('rejects unknown members, as an object literal does', () => {
    // @ts-expect-error: a result has no such member
    const direct = (): Wanted => defined({ level, reasom: 'x' });
    // @ts-expect-error: nor has one that it is spread into
    const spread = (): Wanted => ({ reason: 'x', ...defined({ levle: level }) });
    const take = (_: Wanted): void => {};
    // @ts-expect-error: nor has a parameter
    const handed = (): void => take(defined({ levle: level }));
    expect([direct, spread, handed]).toHaveLength(3);
  });
});
