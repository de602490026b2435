const mib = 1024 * 1024

/** What fits goes up in one request; a larger object in parts of it. Above the smallest part that S3 takes. */
export const usualPartBytes = 8 * mib
/** Parts on their way while the next one is gathered. */
export const partsAtOnce = 3
