import type { Reply } from '@integrity/client/calls'
import { IntegrityError } from '@integrity/client/errors'

/** A file as the service names it. */
export interface ServiceFile {
  readonly name: string
  readonly blob: Blob
}

const nameOf = (disposition: string | null): string =>
  /filename="([\w. -]{1,100})"/.exec(disposition ?? '')?.[1] ?? 'file'

/** The file that an answer holds. Throws `IntegrityError` where it is of another type, or breaks off. */
export const readFile = async (
  { data, status, headers }: Reply<unknown>,
  contentType: string,
): Promise<ServiceFile> => {
  if (!headers.get('content-type')?.startsWith(contentType))
    throw new IntegrityError({ code: 'not_the_service', status, message: `this is no ${contentType}` })
  const name = nameOf(headers.get('content-disposition'))
  try {
    return { name, blob: await (data as Response).blob() }
  } catch (cause) {
    throw new IntegrityError({ code: 'no_answer', message: 'the file broke off', cause })
  }
}
