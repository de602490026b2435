import type { ReactNode } from 'react'
import { useLanguage } from '../../parts/language.ts'
import type { StreamState } from '../../parts/use-followed.ts'

/** Whether the page shows what happens as it happens. */
export const StreamNotice = ({ state }: { readonly state: StreamState }): ReactNode => {
  const { t } = useLanguage()
  return (
    <p role="status" className="small" data-stream={state}>
      {state === 'connecting' ? null : t(`liveStream.${state}`)}
    </p>
  )
}
