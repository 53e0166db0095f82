/** Packages that the build puts into dist/: no user installs them for the library or the program. */
export declare const bundledPackages: readonly string[];
/** Packages that only the program bundles: small, and needed in every run. */
export declare const bundledByProgram: readonly string[];
