import { ServiceError } from '@integrity/protocol'

/** Refuses a change of another state than the one that was meant (RFC 7644, section 3.14; RFC 9110, section 13.1.1). */
export const checkVersion = (ifMatch: string | undefined, { version }: { readonly version: string }): void => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '')
  if (!ifMatch.split(',').some((tag) => bare(tag) === bare(version)))
    throw new ServiceError('conflict', 'it was changed since this version was read', { status: 412 })
}
