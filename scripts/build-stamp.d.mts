/** Whether nothing needs to be built: dist/ matches these sources, or the package has no sources. */
export function isBuilt(root: string): boolean;
/** Records that dist/ matches the current sources. */
export function writeStamp(root: string): void;
/** Called before a build: an interrupted build does not count as built. */
export function removeStamp(root: string): void;
