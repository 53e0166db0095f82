import type { XmlSignatureChecker } from '../../app/ports/index.ts';

/** The second implementation of XML signature verification, if it is enabled. */
export async function checkerOf(
  secondOpinion = false,
): Promise<{ readonly checker?: XmlSignatureChecker }> {
  if (!secondOpinion) return {};
  const { xmldsigjsChecker } = await import('../../adapters/second-opinion/index.ts');
  return { checker: xmldsigjsChecker() };
}
