/** Kept equal to package.json by a test: a bundle must not look for files beside it. */
export const version = "0.1.0";
