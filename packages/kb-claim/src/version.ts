// The version of this program; a test holds it to the manifest, so that no file is read for it.
export const VERSION = "0.1.0";
