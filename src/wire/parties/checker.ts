import type { XmlSignatureChecker } from '../../app/ports/index.ts';

/** The other implementation of XML signatures, where it is to be asked. */
export async function checkerOf(
  secondOpinion = false,
): Promise<{ readonly checker?: XmlSignatureChecker }> {
  if (!secondOpinion) return {};
  const { xmldsigjsChecker } = await import('../../adapters/second-opinion/index.ts');
  return { checker: xmldsigjsChecker() };
}
