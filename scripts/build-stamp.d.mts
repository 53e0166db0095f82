/** True when nothing is to be built: dist/ is of these sources, or the package has none. */
export function isBuilt(root: string): boolean;
/** Says of dist/ that it is of the sources as they are now. */
export function writeStamp(root: string): void;
/** Before a build: what it leaves when it is interrupted is not built. */
export function removeStamp(root: string): void;
