import { useCallback, useEffect, useState } from 'react'
import type { OpenInvitation } from '../../browser/open-invitation.ts'
import type { Declaring } from '../../session/invitation-api.ts'
import { useLanguage } from './language.ts'

/** What was declared and answered, read again when the page is seen again; undefined until it is known. */
export const useDeclaring = ({ call, visit, page }: OpenInvitation) => {
  const { code } = useLanguage().language
  const [declaring, setDeclaring] = useState<Declaring>()
  const read = useCallback(async (): Promise<void> => {
    try {
      setDeclaring(await call.ask('candidateRequests.declared', { locale: code }))
    } catch (error) {
      visit.endedBy(error)
    }
  }, [call, visit, code])
  useEffect(() => {
    void read()
    return page.onReturn(() => void read())
  }, [page, read])
  return { declaring, read }
}
