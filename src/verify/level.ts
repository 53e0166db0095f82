/** PAdES baseline levels as the verifier names them. @spec ETSI EN 319 142-1 §6 */
export type SealLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
