// Tells a bundle from its sources: the build puts its own id here.
declare const KB_CLAIM_BUILD: string | undefined;

/** Different for every build; undefined when the sources are run as they are. */
export const BUILD_ID = typeof KB_CLAIM_BUILD === "string" ? KB_CLAIM_BUILD : undefined;
