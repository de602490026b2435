import { IntegrityError } from '@integrity/client/errors'
import { useState } from 'react'

interface Said {
  readonly path: string
  readonly message: string
}

export interface ServerWords {
  /** Does it, and remembers what the service says against it. */
  readonly hear: (act: () => Promise<unknown>) => Promise<void>
  /** What it said about a field of the body. */
  readonly at: (path: string) => string | undefined
  /** What it said about none of these fields. */
  readonly besides: (...fields: readonly string[]) => readonly Said[]
}

const saidIn = (error: unknown): readonly Said[] => {
  if (!(error instanceof IntegrityError) || error.status < 400 || error.status >= 500) return []
  return error.details.length > 0 ? error.details : [{ path: '', message: error.message }]
}

/** The service's own words about what it refused, for the place in the form that they are about. */
export const useServerWords = (): ServerWords => {
  const [said, setSaid] = useState<readonly Said[]>([])
  return {
    hear: async (act) => {
      setSaid([])
      try {
        await act()
      } catch (error) {
        setSaid(saidIn(error))
        throw error
      }
    },
    at: (path) => said.find((one) => one.path === path)?.message,
    besides: (...fields) => said.filter(({ path }) => !fields.includes(path)),
  }
}

/** Said in English, whatever the language of the page. */
export const SaidBesides = ({ said }: { readonly said: readonly Said[] }) =>
  said.length === 0 ? null : (
    <ul lang="en" dir="ltr" role="status">
      {said.map(({ path, message }) => (
        <li key={path}>{message}</li>
      ))}
    </ul>
  )
