const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Does an `If-None-Match` name this tag? A list counts, and a tag that a proxy made weak (RFC 9110, section 13.1.2). */
export const namesTag = (header: string | undefined, etag: string): boolean =>
  header?.trim() === '*' || (header ?? '').split(',').some((tag) => bare(tag) === bare(etag))
