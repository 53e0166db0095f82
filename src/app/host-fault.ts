/**
 * True for the code of a fault of what a program stands on: store, contents, key or trust. No job
 * could help it, so that it is no attempt of any.
 */
export function isHostFault(code: string): boolean {
  return (
    /^(store|vault\.key)\./.test(code) || code === 'contents.unshared' || code === 'trust.mismatch'
  );
}
